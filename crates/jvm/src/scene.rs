//! A state while it is worked on: threads with their calls, monitors, statics and the heap.

use rustc_hash::FxHashMap;

use crate::value::{ClassId, MethodId, Object, Ref, Value};
use crate::world::{Need, World};

/// One call that is not finished. Its variables and operands lie on the stack of its thread.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) method: MethodId,
    pub(crate) op: u32,
    /// Where its variables begin.
    pub(crate) base: u32,
    /// Where its operands begin.
    pub(crate) operands: u32,
    /// The monitor that a synchronized method gives back.
    pub(crate) lock: Ref,
    /// The class that is initialised when this returns.
    pub(crate) initialises: Option<ClassId>,
}

/// Where a thread that waits for a monitor's signal is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Waiting {
    pub(crate) object: Ref,
    /// How often it has to take the monitor again.
    pub(crate) count: u32,
    pub(crate) timed: bool,
    pub(crate) notified: bool,
}

/// The calls of a thread that are not finished.
#[derive(Clone, Debug, Default)]
pub(crate) struct Calls {
    pub(crate) frames: Vec<Frame>,
    pub(crate) stack: Vec<Value>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Thread {
    pub(crate) object: Ref,
    pub(crate) calls: Calls,
    pub(crate) waiting: Option<Waiting>,
    pub(crate) interrupted: bool,
    pub(crate) permit: bool,
    /// Whether a time-out was chosen that it has not noticed yet.
    pub(crate) late: bool,
    pub(crate) daemon: bool,
    pub(crate) ended: bool,
    /// Where it was started.
    pub(crate) started: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Monitor {
    pub(crate) object: Ref,
    pub(crate) owner: u8,
    pub(crate) count: u32,
}

/// How far a class of the user is initialised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Started {
    #[default]
    No,
    By(u8),
    Done,
    Failed,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Scene {
    pub(crate) threads: Vec<Thread>,
    pub(crate) heap: Vec<Object>,
    pub(crate) monitors: Vec<Monitor>,
    /// Of the user's classes.
    pub(crate) statics: Vec<Value>,
    pub(crate) started: Vec<Started>,
    /// Objects and statics of the base image that the program changed.
    pub(crate) changed: FxHashMap<u32, Object>,
    pub(crate) changed_statics: FxHashMap<u32, Value>,
    /// How many objects were asked for their identity hash.
    pub(crate) hashes: i32,
    /// How many objects have a number that they are told by.
    pub(crate) births: u8,
    pub(crate) exited: bool,
    /// Something is needed that is not there: the program cannot go on. With its line.
    pub(crate) stuck: Option<(Need, u32)>,
}

impl Scene {
    pub(crate) fn clear(&mut self) {
        self.threads.clear();
        self.heap.clear();
        self.monitors.clear();
        self.statics.clear();
        self.started.clear();
        self.changed.clear();
        self.changed_statics.clear();
        self.hashes = 0;
        self.births = 0;
        self.exited = false;
        self.stuck = None;
    }

    /// How many threads can still do something.
    pub(crate) fn alive(&self) -> usize {
        self.threads.iter().filter(|thread| !thread.ended).count()
    }

    pub(crate) fn object<'a>(&'a self, world: &'a World, at: Ref) -> Option<&'a Object> {
        if let Some(own) = at.as_own() {
            return self.heap.get(own);
        }
        let base = at.as_base()?;
        if !self.changed.is_empty()
            && let Some(changed) = self.changed.get(&(base as u32))
        {
            return Some(changed);
        }
        world.base.get(base)
    }

    pub(crate) fn monitor(&self, object: Ref) -> Option<&Monitor> {
        self.monitors.iter().find(|monitor| monitor.object == object)
    }

    /// The number of the thread whose object this is.
    pub(crate) fn thread_of(&self, object: Ref) -> Option<usize> {
        self.threads.iter().position(|thread| thread.object == object)
    }

    pub(crate) fn static_of_user(&self, world: &World, slot: u32) -> Value {
        let known = self.statics.get(slot as usize).copied();
        known.or_else(|| world.defaults.get(slot as usize).map(|(value, _)| *value)).unwrap_or(Value::Nothing)
    }

    pub(crate) fn started(&self, number: u32) -> Started {
        self.started.get(number as usize).copied().unwrap_or_default()
    }
}
