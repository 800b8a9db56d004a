//! Who may step next, as SPIN has it.
//!
//! Processes are looked at from the youngest to the oldest, the steps of each in the order of the text.
//! A process in an `atomic` sequence keeps control while it can move; when it cannot, control is
//! anybody's. A rendezvous is one step of two processes, after which only the receiver's `atomic` counts.
//! `timeout` holds only where nothing else can move; `else` where no step before it in the same place can.

mod creation;
mod executing;
mod recording;
mod reduce;
mod trace;

use graph::{End, Step, System, Worker};
use model::Fault;

use self::executing::{cut_message, fit_message};
pub(super) use self::recording::Deed;
use self::recording::Record;
use self::reduce::Claimed;
use super::compiled::{Act, CompiledStep};
use super::event::{Breach, Event};
use super::program::Machine;
use super::vector::{self, CONTROL, FrameStarts, LAST, NOBODY};
use super::view::{Room, View};

impl System for Machine {
    type Worker<'a> = Scheduler<'a>;

    fn worker(&self) -> Scheduler<'_> {
        Scheduler {
            machine: self,
            frames: FrameStarts::default(),
            next: Vec::new(),
            next_frames: FrameStarts::default(),
            values: Vec::new(),
            faults: Vec::new(),
            executing: 0,
            message: Vec::new(),
            saved: Vec::new(),
            claims: Vec::new(),
            looking: Room::default(),
            stepping: Room::default(),
            record: None,
        }
    }
}

/// Finds the steps of states.
#[derive(Debug)]
pub struct Scheduler<'m> {
    machine: &'m Machine,
    /// The frames of the state that is looked at.
    frames: FrameStarts,
    /// The state that a step leads to, under construction.
    next: Vec<u8>,
    next_frames: FrameStarts,
    values: Vec<i64>,
    /// What is offered in a rendezvous.
    message: Vec<i64>,
    /// The state at an earlier point of a long `d_step`.
    saved: Vec<u8>,
    /// The faults met since steps were last asked for.
    faults: Vec<Fault>,
    /// The statement under way, to blame for what goes wrong.
    executing: u32,
    /// The channels that processes say are their own.
    claims: Vec<Claimed>,
    looking: Room,
    stepping: Room,
    /// What is written down of a `d_step`, if somebody wants to know.
    record: Option<Record>,
}

/// What came of trying to take a step.
enum Outcome {
    Taken,
    Blocked,
    /// A message was offered, and nobody took it.
    Refused,
}

/// A message that waits for somebody to receive it.
struct Offer<'a> {
    sender: usize,
    step: &'a CompiledStep,
    /// The channel as a value, and where it starts.
    number: i64,
    at: usize,
    message: &'a [i64],
}

impl Worker for Scheduler<'_> {
    fn initial(&mut self, mut visit: impl FnMut(&[u8])) {
        // Models that cannot begin are refused when they are read.
        let _ = self.first_state();
        self.machine.hidden.forget(&mut self.next, &self.next_frames);
        visit(&self.next);
    }

    fn steps(&mut self, state: &[u8], mut visit: impl FnMut(Step<'_>)) {
        let machine = self.machine;
        self.faults.clear();
        let (mut frames, room) = (std::mem::take(&mut self.frames), std::mem::take(&mut self.looking));
        frames.find(state, machine.globals, &machine.kinds, &machine.channels);
        let mut found = false;
        for timeout in [false, true] {
            let view = View { machine, frames: &frames, timeout, room: &room };
            if state[CONTROL] == NOBODY {
                for process in (0..frames.processes.len()).rev() {
                    found |= self.steps_of(&view, state, process, &mut visit);
                }
            } else {
                found |= self.steps_of(&view, state, usize::from(state[CONTROL]), &mut visit);
            }
            if found || !machine.has_timeout {
                break;
            }
        }
        (self.frames, self.looking) = (frames, room);
    }

    fn end(&mut self, state: &[u8]) -> End {
        let machine = self.machine;
        self.frames.find(state, machine.globals, &machine.kinds, &machine.channels);
        let view = View { machine, frames: &self.frames, timeout: false, room: &self.stepping };
        let processes = self.frames.processes.len();
        let trace_ends = machine.trace.is_none_or(|trace| processes == 0 || trace.may_end(machine, state));
        let valid = trace_ends && (0..processes).all(|process| view.location(state, process).valid_end);
        if valid { End::Valid } else { End::Deadlock }
    }

    fn is_passing(&self, state: &[u8]) -> bool {
        state[CONTROL] != NOBODY
    }

    fn steps_of_one(
        &mut self,
        state: &[u8],
        trusted: u64,
        first: u32,
        visit: impl FnMut(Step<'_>),
    ) -> Option<u32> {
        self.steps_alone(state, trusted, first, visit)
    }

    fn broken_promises(&mut self, state: &[u8]) -> u64 {
        self.promises_broken(state)
    }
}

impl Scheduler<'_> {
    /// Looks at a state in which `timeout` does not hold.
    fn looked_at<T>(&mut self, state: &[u8], look: impl FnOnce(&mut Self, &View<'_>) -> T) -> T {
        let machine = self.machine;
        self.faults.clear();
        let (mut frames, room) = (std::mem::take(&mut self.frames), std::mem::take(&mut self.looking));
        frames.find(state, machine.globals, &machine.kinds, &machine.channels);
        let found = look(self, &View { machine, frames: &frames, timeout: false, room: &room });
        (self.frames, self.looking) = (frames, room);
        found
    }

    /// The faults of the state whose steps were asked for last, in the order of those steps.
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    fn violation(&mut self, fault: Fault) -> u32 {
        self.faults.push(fault);
        Breach { kind: fault.kind(), statement: self.executing }.pack()
    }

    /// Shows the steps of one process; tells whether there are any.
    fn steps_of(
        &mut self,
        view: &View<'_>,
        state: &[u8],
        process: usize,
        visit: &mut impl FnMut(Step<'_>),
    ) -> bool {
        let mut found = false;
        let mut escape = 0;
        let location = view.location(state, process);
        match view.may_move(state, process) {
            Ok(true) => {}
            Ok(false) => return false,
            Err(fault) => {
                if let Some(step) = location.steps.first() {
                    self.show_fault(fault, state, process, step, visit);
                    return true;
                }
            }
        }
        for step in &location.steps {
            if escape > 0 && escape != step.escape {
                break;
            }
            if matches!(step.act, Act::Else) && found {
                continue;
            }
            view.room.noted.take();
            self.stepping.noted.take();
            match self.take(view, state, process, step, visit) {
                Ok(Outcome::Taken) => {
                    found = true;
                    escape = step.escape;
                }
                Ok(outcome) => {
                    // SPIN offers a message before it knows whether anybody takes it, and forgets the
                    // escape it was in when nobody does.
                    if matches!(outcome, Outcome::Refused) {
                        escape = 0;
                    }
                    if let Some(fault) = view.room.noted.take() {
                        self.show_fault(fault, state, process, step, visit);
                    }
                }
                Err(fault) => {
                    self.show_fault(fault, state, process, step, visit);
                    found = true;
                }
            }
        }
        found
    }

    fn show_fault(
        &mut self,
        fault: Fault,
        state: &[u8],
        process: usize,
        step: &CompiledStep,
        visit: &mut impl FnMut(Step<'_>),
    ) {
        let violation = Some(self.violation(fault));
        let event = Event { process: process as u8, statement: step.statement, partner: None };
        visit(Step { event: event.pack(), state, violation });
    }

    /// Takes a step if it can be taken, and shows where it leads.
    fn take(
        &mut self,
        view: &View<'_>,
        state: &[u8],
        process: usize,
        step: &CompiledStep,
        visit: &mut impl FnMut(Step<'_>),
    ) -> Result<Outcome, Fault> {
        self.executing = step.statement;
        if let Act::Send { channel, values, .. } = &step.act {
            let context = view.context(state, process);
            let number = channel.run(&context, view)?;
            let (at, kind) = view.channel(number, state)?;
            if view.machine.channels[kind].capacity == 0 {
                let mut message = std::mem::take(&mut self.message);
                message.clear();
                for value in values {
                    message.push(value.run(&context, view)?);
                }
                fit_message(&mut message, &view.machine.channels[kind], view);
                cut_message(&mut message, &view.machine.channels[kind]);
                let offer = Offer { sender: process, step, number, at, message: &message };
                let taken = self.rendezvous(view, state, offer, visit);
                self.message = message;
                return Ok(if taken? { Outcome::Taken } else { Outcome::Refused });
            }
        }
        if !view.executable(step, state, process)? {
            return Ok(Outcome::Blocked);
        }
        self.begin(view, state);
        let mut violation = None;
        let dies = matches!(step.act, Act::End);
        self.apply(&step.act, process, view.timeout, None, &mut violation)?;
        if !dies {
            let frame = self.next_frames.processes[process] as usize;
            vector::set_location(&mut self.next, frame, step.target);
        }
        self.show_step(view, process, step.keeps_control && !dies, violation, |violation, state| {
            let event = Event { process: process as u8, statement: step.statement, partner: None };
            visit(Step { event: event.pack(), state, violation });
        });
        Ok(Outcome::Taken)
    }

    /// One step of two processes for everyone who can receive.
    fn rendezvous(
        &mut self,
        view: &View<'_>,
        state: &[u8],
        offer: Offer<'_>,
        visit: &mut impl FnMut(Step<'_>),
    ) -> Result<bool, Fault> {
        let Offer { sender, step, number, at, message } = offer;
        let mut receivers = view.receivers();
        let mut taken = false;
        while let Some((receiver, choice)) = view.next_receiver(state, sender, at, message, &mut receivers)? {
            let received = &view.location(state, receiver).steps[choice];
            self.begin(view, state);
            let frame = self.next_frames.processes[sender] as usize;
            vector::set_location(&mut self.next, frame, step.target);
            let partner = Some((receiver as u8, received.statement));
            let event = Event { process: sender as u8, statement: step.statement, partner }.pack();
            let mut violation = None;
            self.executing = step.statement;
            self.watch_message(true, number, message, &mut violation)?;
            self.executing = received.statement;
            if let Err(fault) =
                self.apply(&received.act, receiver, view.timeout, Some(message), &mut violation)
            {
                visit(Step { event, state, violation: Some(self.violation(fault)) });
                taken = true;
                continue;
            }
            let frame = self.next_frames.processes[receiver] as usize;
            vector::set_location(&mut self.next, frame, received.target);
            self.show_step(view, receiver, received.keeps_control, violation, |violation, state| {
                visit(Step { event, state, violation });
            });
            taken = true;
        }
        Ok(taken)
    }

    /// Ends a step of `process` and shows where it leads; a bad index that was met on the way is wrong.
    fn show_step(
        &mut self,
        view: &View<'_>,
        process: usize,
        keeps_control: bool,
        violation: Option<u32>,
        show: impl FnOnce(Option<u32>, &[u8]),
    ) {
        let noted = self.stepping.noted.take().or(view.room.noted.take());
        let violation = noted.map(|fault| self.violation(fault)).or(violation);
        self.finish(process, keeps_control);
        self.stepping.noted.take();
        show(violation, &self.next);
    }

    fn begin(&mut self, view: &View<'_>, state: &[u8]) {
        self.next.clear();
        self.next.extend_from_slice(state);
        self.next_frames.copy_from(view.frames);
    }

    /// Decides who holds control after a step of `process`.
    fn finish(&mut self, process: usize, keeps_control: bool) {
        if self.machine.has_last {
            self.next[LAST] = process as u8;
        }
        self.next[CONTROL] = NOBODY;
        self.machine.hidden.forget(&mut self.next, &self.next_frames);
        if keeps_control {
            let view = View {
                machine: self.machine,
                frames: &self.next_frames,
                timeout: false,
                room: &self.stepping,
            };
            // What faults can move: it moves into the fault.
            let moves = view
                .may_move(&self.next, process)
                .and_then(|may| Ok(may && view.can_step(&self.next, process)?));
            if moves.unwrap_or(true) {
                self.next[CONTROL] = process as u8;
            }
        }
    }
}
