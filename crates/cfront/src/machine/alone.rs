//! One call at a time: the machine without the frames below the one that goes on.
//!
//! A local state is a state of the machine with a single frame. A step that calls makes a second one, and the
//! state is taken apart; a step that returns leaves the globals and what is handed back, without any frame.
//! Pointers are what could tell such a program from one that runs with all its frames, so none may lead from
//! one frame into another: a call that hands the address of a local variable over, or a return that leaves one
//! behind, is not told. Nothing lives on the heap, and there is one thread.

use graph::{Caller, End, LocalStep, Move, Procedures, System, Untold};
use model::{Builtin, Command, Program, StaticPlace};

use super::compile::Machine;
use super::events::event;
use super::halt::Halt;
use super::limits::Stuck;
use super::scene::{self, DEPTH, ENDED, THREAD_HEADER, VALUE};
use super::worker::CWorker;
use crate::lower::FRAME;

/// The last byte of an exit that hands a block back, which may have no bytes of its own.
const BLOCK: u8 = 1;

/// Why a program cannot be looked at one call at a time; nothing if it can.
pub(crate) fn obstacle(program: &Program) -> Option<&'static str> {
    if program.threads {
        return Some("it starts threads");
    }
    let mut commands =
        program.functions.iter().flat_map(|function| &function.edges).flat_map(|e| &e.commands);
    commands.find_map(|command| match command {
        Command::Builtin { which, .. } => match which {
            Builtin::Allocate
            | Builtin::AllocateMany
            | Builtin::AllocateInFrame
            | Builtin::Reallocate
            | Builtin::Free => Some("it allocates memory"),
            Builtin::StartThread
            | Builtin::JoinThread
            | Builtin::EndThread
            | Builtin::Await
            | Builtin::Gather => Some("it waits for other threads"),
            _ => None,
        },
        _ => None,
    })
}

/// Whether a function can come to call itself, as far as the text shows. A call through a pointer may call every
/// function.
pub(crate) fn calls_itself(program: &Program) -> bool {
    let count = program.functions.len();
    let has_address = |function: usize| {
        let is = |place| matches!(place, StaticPlace::Function(id) if id.0 as usize == function);
        program.globals.objects.iter().any(|object| is(object.place))
    };
    let called = |function: usize| {
        let commands = program.functions[function].edges.iter().flat_map(|edge| &edge.commands);
        let calls = commands.flat_map(|command| match command {
            Command::Call { function, .. } => vec![function.0 as usize],
            Command::CallPointer { .. } => (0..count).filter(|function| has_address(*function)).collect(),
            _ => Vec::new(),
        });
        calls.collect::<Vec<usize>>()
    };
    let calls: Vec<Vec<usize>> = (0..count).map(called).collect();
    // What calls nothing, or only what was taken away before, is taken away; what is left goes round.
    let mut waits: Vec<usize> = calls.iter().map(Vec::len).collect();
    let mut callers = vec![Vec::new(); count];
    for (caller, called) in calls.iter().enumerate() {
        called.iter().for_each(|called| callers[*called].push(caller));
    }
    let mut done: Vec<usize> = (0..count).filter(|function| waits[*function] == 0).collect();
    let mut next = 0;
    while let Some(function) = done.get(next).copied() {
        next += 1;
        for caller in &callers[function] {
            waits[*caller] -= 1;
            if waits[*caller] == 0 {
                done.push(*caller);
            }
        }
    }
    done.len() < count
}

/// Takes the steps of a machine in local states.
#[derive(Debug)]
pub struct CCaller<'m> {
    worker: CWorker<'m>,
    /// The frame that a call left behind.
    frame: Vec<u8>,
}

impl Procedures for Machine {
    type Caller<'a> = CCaller<'a>;

    fn caller(&self) -> CCaller<'_> {
        let mut worker = self.worker();
        worker.alone = true;
        CCaller { worker, frame: Vec::new() }
    }
}

impl CWorker<'_> {
    /// Leaves the globals and what is handed back, which `evaluate` has found.
    pub(super) fn exit(&mut self, hands_back_block: bool) -> Result<(), Halt> {
        let at = self.scene.threads[0];
        let function = &self.machine.functions[scene::function(&self.next, at.top)];
        if !function.objects.is_empty() {
            let handed = if hands_back_block { &self.blocks[..] } else { &[] };
            let value = if hands_back_block { None } else { self.values.first().copied() };
            let names_own = value.is_some_and(|value| self.is_of_frame(value, at.top));
            if names_own || self.points_into(at.top, handed) || self.globals_point_into(at.top) {
                return Err(Halt::Stuck(Stuck::Escapes));
            }
        }
        self.next.truncate(at.start + THREAD_HEADER);
        self.next[at.start + DEPTH..at.start + DEPTH + 2].fill(0);
        if hands_back_block {
            self.next.extend_from_slice(&self.blocks);
            self.next.push(BLOCK);
        } else {
            let value = self.values.first().copied().unwrap_or(0);
            self.next[at.start + VALUE..at.start + VALUE + 8].copy_from_slice(&value.to_le_bytes());
        }
        self.has_left = true;
        Ok(())
    }

    /// Whether a value is a pointer to an object of this frame.
    fn is_of_frame(&self, value: i64, frame: usize) -> bool {
        let function = &self.machine.functions[scene::function(&self.next, frame)];
        let (number, _) = self.machine.program.pointers.split(value);
        function
            .objects
            .iter()
            .any(|object| scene::read_u32(&self.next, frame + object.number as usize) == number)
    }

    /// Whether something in these bytes looks like a pointer to an object of this frame.
    fn points_into(&self, frame: usize, bytes: &[u8]) -> bool {
        let scalar = self.machine.program.pointers.scalar;
        bytes.chunks_exact(scalar.bytes() as usize).any(|word| self.is_of_frame(scalar.load(word), frame))
    }

    fn globals_point_into(&self, frame: usize) -> bool {
        let globals = &self.machine.program.globals;
        let start = globals.start as usize;
        self.points_into(frame, &self.next[start..start + globals.initial.len()])
    }

    /// Takes a state with two frames apart: the lower one goes to `frame`.
    fn part(&mut self, frame: &mut Vec<u8>) -> Result<(), Stuck> {
        let at = self.scene.threads[0];
        let bottom = at.start + THREAD_HEADER;
        let function = &self.machine.functions[scene::function(&self.next, bottom)];
        if !function.objects.is_empty() {
            let called = &self.next[at.top + FRAME as usize..at.end];
            if self.points_into(bottom, called) || self.globals_point_into(bottom) {
                return Err(Stuck::Escapes);
            }
        }
        frame.clear();
        frame.extend_from_slice(&self.next[bottom..at.top]);
        self.take_out(bottom, at.top - bottom);
        self.next[at.start + DEPTH] = 1;
        Ok(())
    }
}

impl Caller for CCaller<'_> {
    fn initial(&mut self) -> &[u8] {
        &self.worker.machine.initial
    }

    fn steps(&mut self, local: &[u8], mut visit: impl FnMut(LocalStep<'_>)) -> Option<Untold> {
        if local[ENDED] != 0 {
            return None;
        }
        let mut untold = None;
        let frame = &mut self.frame;
        self.worker.explore(local, 0, |worker, halted| {
            let event = event(0, worker.label, &worker.given);
            let violation = match halted {
                Ok(()) => None,
                Err(Halt::Blocked | Halt::Waits(_)) => return,
                Err(Halt::Stuck(stuck)) => {
                    untold.get_or_insert(Untold { reason: stuck.reason(), event });
                    return;
                }
                Err(Halt::Fault(fault)) => Some(fault.kind()),
                Err(Halt::Wrong(what)) => Some(what),
            };
            let to = if violation.is_some() {
                worker.next[ENDED] = 1;
                Move::Onward(&worker.next)
            } else if worker.has_left {
                Move::Return { exit: &worker.next }
            } else if scene::read_u16(&worker.next, worker.scene.threads[0].start + DEPTH) == 2 {
                if let Err(stuck) = worker.part(frame) {
                    untold.get_or_insert(Untold { reason: stuck.reason(), event });
                    return;
                }
                Move::Call { frame, entry: &worker.next }
            } else {
                Move::Onward(&worker.next)
            };
            visit(LocalStep { event, to, violation });
        });
        untold
    }

    fn resume(&mut self, frame: &[u8], exit: &[u8]) -> &[u8] {
        let worker = &mut self.worker;
        let globals = &worker.machine.program.globals;
        let start = globals.start as usize + globals.initial.len();
        let behind = start + THREAD_HEADER;
        worker.next.clear();
        worker.next.extend_from_slice(&exit[..behind]);
        worker.next[start + DEPTH] = 1;
        worker.next[start + VALUE..behind].fill(0);
        worker.next.extend_from_slice(frame);
        worker.values.clear();
        worker.values.push(model::Scalar::I64.load(&exit[start + VALUE..]));
        worker.blocks.clear();
        let block = exit[behind..].split_last();
        worker.blocks.extend_from_slice(block.map_or(&[], |(_, block)| block));
        worker.scene.find(worker.machine, &worker.next);
        // The place for a result is a temporary of the frame, which is always there.
        let resumed = worker.go_on_behind_call(0, block.is_some());
        debug_assert!(resumed.is_ok(), "a caller has room for what it asked for");
        &worker.next
    }

    fn end(&mut self, local: &[u8]) -> End {
        graph::Worker::end(&mut self.worker, local)
    }
}
