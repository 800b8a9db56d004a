//! The machine: runs one thread of a state up to its next visible action.
//!
//! A step begins with an action that other threads can notice (a field or element of an object that several threads
//! reach, a monitor, a thread, an input) and goes on through everything that nobody else can notice, up to just before
//! the next such action. Code of the JDK that is not interrupted counts as one action until it blocks.

mod arithmetic;
mod arrays;
mod calls;
mod conduct;
mod exceptions;
mod execute;
mod fields;
mod initialise;
mod monitors;
mod objects;
mod operands;
mod sharing;
mod strings;

pub(crate) use self::conduct::{Conduct, Note, Touched};
use crate::scene::{Calls, Scene};
use crate::value::{MethodId, Ref};
use crate::world::{Need, World};

/// Why an operation does not just go on to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Halt {
    Throw(Ref),
    /// The operation cannot be executed now.
    Blocked(Wait),
    /// The step ends before this operation.
    Stop,
    /// A call was begun, after which the operation is executed again.
    Again,
    /// The native has nothing to say: the code of the method is run.
    Bytecode,
    Needs(Need),
    Exit,
    /// A method is called that must not be.
    Forbidden,
}

pub(crate) type Run<T> = Result<T, Halt>;

impl From<Need> for Halt {
    fn from(need: Need) -> Self {
        Self::Needs(need)
    }
}

/// What a thread waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wait {
    Monitor(Ref),
    Signal(Ref),
    /// The end of a thread.
    Thread(usize),
    Permit,
    /// A class that another thread initialises.
    Class(u8),
}

/// Where control goes after an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    Next,
    Jump(u32),
    /// Another call is on top now.
    Call,
}

/// How a step ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Ended {
    /// Before another visible action, or because nothing is left to do.
    Fine,
    /// Nothing was done: the thread waits.
    Blocked(Wait),
    Needs(Need),
}

pub(crate) struct Machine<'a> {
    pub(crate) world: &'a mut World,
    pub(crate) scene: &'a mut Scene,
    /// The thread that runs.
    pub(crate) thread: usize,
    /// Its calls, which are not in the scene while it runs.
    pub(crate) calls: Calls,
    pub(crate) conduct: &'a mut Conduct,
    /// Whether a JDK class is initialised, outside of all states.
    pub(crate) in_base: bool,
}

impl<'a> Machine<'a> {
    pub(crate) fn new(
        world: &'a mut World,
        scene: &'a mut Scene,
        conduct: &'a mut Conduct,
        thread: usize,
    ) -> Self {
        let calls = std::mem::take(&mut scene.threads[thread].calls);
        Self { world, scene, thread, calls, conduct, in_base: false }
    }

    /// Runs a step of the thread, and puts its calls back.
    pub(crate) fn step(mut self) -> Ended {
        self.conduct.alone = self.scene.alive() == 1;
        self.conduct.begin = self.place();
        let ended = self.run();
        if self.calls.frames.is_empty() && !self.scene.threads[self.thread].ended {
            self.end_thread();
        }
        if let Ended::Needs(need) = ended {
            let line = self.place().map_or(0, |(method, op)| self.line(method, op));
            self.scene.stuck = Some((need, line));
        }
        self.scene.threads[self.thread].calls = std::mem::take(&mut self.calls);
        ended
    }

    /// The call of the user's code that is nearest to what runs, or else what runs.
    pub(crate) fn place(&self) -> Option<(MethodId, u32)> {
        place_in(self.world, &self.calls)
    }

    pub(crate) fn line(&self, method: MethodId, op: u32) -> u32 {
        self.world.line(method, op)
    }

    /// The program cannot go on for want of this.
    pub(crate) fn needs(&mut self, what: &str) -> Halt {
        Halt::Needs(self.world.need(what))
    }
}

impl World {
    pub(crate) fn line(&self, method: MethodId, op: u32) -> u32 {
        let code = self.method(method).code.as_ref();
        code.and_then(|linked| linked.lines.get(op as usize)).map_or(0, |line| u32::from(*line))
    }
}

/// The innermost call of the user's code, or else the innermost call.
pub(crate) fn place_in(world: &World, calls: &Calls) -> Option<(MethodId, u32)> {
    let own = calls.frames.iter().rev().find(|frame| world.is_users(frame.method));
    own.or_else(|| calls.frames.last()).map(|frame| (frame.method, frame.op))
}

impl World {
    pub(crate) fn is_users(&self, method: MethodId) -> bool {
        self.class(self.method(method).class).origin == crate::world::Origin::User
    }
}
