//! Who may step next, as SPIN has it.
//!
//! Processes are looked at from the youngest to the oldest, the steps of each in the order of the text.
//! A process in an `atomic` sequence keeps control while it can move; when it cannot, control is
//! anybody's. A rendezvous is one step of two processes, after which only the receiver's `atomic` counts.
//! `timeout` holds only where nothing else can move; `else` where no step before it in the same place can.

use graph::{End, Step, System, Worker};
use model::{Channel, ChannelType, Code, Context, Fault, Scalar};

use super::event::{ASSERTION, Breach, Event};
use super::frames::FRAME_HEADER;
use super::program::{
    Act, CompiledLocation, CompiledPattern, CompiledStep, Machine, Reception, Start, StartValue,
};
use super::reduce::Claimed;
use super::vector::{self, CHANNEL_TAG, CHANNELS, CONTROL, FrameStarts, LAST, NOBODY, PROCESSES};
use super::view::{Room, View};

/// The most processes, and the most channels, that can live at once.
const MOST: u32 = 255;
/// How long a `d_step` may run before it is taken to run for ever, and how long without being watched.
const LONGEST_STEP: u32 = 1_000_000;
const SURELY_SHORT: u32 = 64;

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
        }
    }
}

/// Finds the steps of states.
#[derive(Debug)]
pub struct Scheduler<'m> {
    pub(super) machine: &'m Machine,
    /// The frames of the state that is looked at.
    frames: FrameStarts,
    /// The state that a step leads to, under construction.
    pub(super) next: Vec<u8>,
    pub(super) next_frames: FrameStarts,
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
    pub(super) claims: Vec<Claimed>,
    looking: Room,
    pub(super) stepping: Room,
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
        self.next.clear();
        self.next.resize(self.machine.globals, 0);
        self.next[CONTROL] = NOBODY;
        self.next_frames = FrameStarts::default();
        let machine = self.machine;
        // Globals start with what their declarations say; a fault there leaves the value at 0.
        let _ = self.start(&machine.starts, 0, 0);
        for kind in &machine.active {
            let _ = self.create(*kind, &[], machine.kinds[*kind].priority);
        }
        machine.hidden.forget(&mut self.next, &self.next_frames);
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
    pub(super) fn looked_at<T>(&mut self, state: &[u8], look: impl FnOnce(&mut Self, &View<'_>) -> T) -> T {
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

    pub(super) fn violation(&mut self, fault: Fault) -> u32 {
        self.faults.push(fault);
        Breach { kind: fault.kind(), statement: self.executing }.pack()
    }

    /// Shows the steps of one process; tells whether there are any.
    pub(super) fn steps_of(
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

    /// Changes the next state as `act`, which can be executed, says. `message` is what a rendezvous
    /// brings.
    fn apply(
        &mut self,
        act: &Act,
        process: usize,
        timeout: bool,
        message: Option<&[i64]>,
        violation: &mut Option<u32>,
    ) -> Result<(), Fault> {
        let machine = self.machine;
        match act {
            Act::Skip | Act::Wait(_) | Act::Else | Act::Event(_) => {}
            Act::Assign(spot, value) => {
                let value = self.value(value, process, timeout)?;
                self.store(&spot.address, spot.scalar, value, process, timeout)?;
            }
            Act::Assert(condition) => {
                if self.value(condition, process, timeout)? == 0 {
                    *violation = Some(Breach { kind: ASSERTION, statement: self.executing }.pack());
                }
            }
            Act::Print(values) => {
                for value in values {
                    self.value(value, process, timeout)?;
                }
            }
            Act::Send { channel, values, sorted } => {
                let mut message = std::mem::take(&mut self.values);
                message.clear();
                for value in values {
                    message.push(self.value(value, process, timeout)?);
                }
                let number = self.value(channel, process, timeout)?;
                let view = View { machine, frames: &self.next_frames, timeout, room: &self.stepping };
                let (at, kind) = view.channel(number, &self.next)?;
                fit_message(&mut message, &machine.channels[kind], &view);
                let mut channel = Channel::new(&machine.channels[kind], &mut self.next[at + 1..]);
                let slot = if *sorted { channel.slot_for(&message) } else { channel.len() };
                channel.insert(slot, &message);
                cut_message(&mut message, &machine.channels[kind]);
                self.watch_message(true, number, &message, violation)?;
                self.values = message;
            }
            Act::Receive(reception) => self.receive(reception, process, timeout, message, violation)?,
            Act::Run { kind, arguments, priority, result } => {
                let mut values = std::mem::take(&mut self.values);
                values.clear();
                for argument in arguments {
                    values.push(self.value(argument, process, timeout)?);
                }
                // What a proctype declares holds for the instances that are there at first.
                let priority = priority.unwrap_or(1);
                let pid = self.create(*kind, &values, priority)?;
                self.values = values;
                if let Some(spot) = result {
                    self.store(&spot.address, spot.scalar, pid, process, timeout)?;
                }
            }
            Act::SetPriority { process: whose, priority } => {
                let whose = self.value(whose, process, timeout)?;
                let priority = self.value(priority, process, timeout)?;
                if !(1..=255).contains(&priority) {
                    return Err(Fault::Priority(priority));
                }
                // Who does not exist has no priority.
                let known = usize::try_from(whose).ok();
                if let Some(frame) = known.and_then(|whose| self.next_frames.processes.get(whose)) {
                    self.next[*frame as usize + 3] = priority as u8;
                }
            }
            Act::End => {
                let frame = self.next_frames.processes.pop().unwrap_or_default();
                self.next.truncate(frame as usize);
                self.next_frames.channels.retain(|channel| *channel < frame);
                self.next[PROCESSES] = self.next_frames.processes.len() as u8;
                self.next[CHANNELS] = self.next_frames.channels.len() as u8;
            }
            Act::Indivisible(locations) => {
                self.indivisible(locations, process, timeout, message, violation)?
            }
        }
        Ok(())
    }

    /// Runs a `d_step` to its end: at each place the first step that can be taken.
    fn indivisible(
        &mut self,
        locations: &[CompiledLocation],
        process: usize,
        timeout: bool,
        mut message: Option<&[i64]>,
        violation: &mut Option<u32>,
    ) -> Result<(), Fault> {
        let mut at = 0;
        let mut saved_at = 0;
        for count in 0..LONGEST_STEP {
            let steps = &locations[at].steps;
            if matches!(steps[..], [CompiledStep { act: Act::End, .. }]) {
                return Ok(());
            }
            let view =
                View { machine: self.machine, frames: &self.next_frames, timeout, room: &self.stepping };
            let mut chosen = None;
            // If none can be executed, the first one is what it waits for.
            self.executing = steps.first().map_or(self.executing, |first| first.statement);
            for step in steps {
                // The message of a rendezvous is for the guard.
                let by_message = message.is_some() && matches!(step.act, Act::Receive(_));
                if by_message || view.executable(step, &self.next, process)? {
                    chosen = Some(step);
                    break;
                }
            }
            let step = chosen.ok_or(Fault::BlockedInStep)?;
            self.executing = step.statement;
            self.apply(&step.act, process, timeout, message.take(), violation)?;
            if let Some(fault) = self.stepping.noted.take() {
                *violation = Some(self.violation(fault));
            }
            at = step.target as usize;
            // What comes back to where it was goes on for ever. Looking back to the last power of two finds
            // a circle of any length (Brent, 1980).
            if count >= SURELY_SHORT {
                if count.is_power_of_two() {
                    saved_at = at;
                    self.saved.clone_from(&self.next);
                } else if at == saved_at && self.next == self.saved {
                    return Err(Fault::EndlessStep);
                }
            }
        }
        Err(Fault::EndlessStep)
    }

    fn receive(
        &mut self,
        reception: &Reception,
        process: usize,
        timeout: bool,
        message: Option<&[i64]>,
        violation: &mut Option<u32>,
    ) -> Result<(), Fault> {
        let machine = self.machine;
        let number = self.value(&reception.channel, process, timeout)?;
        let mut values = std::mem::take(&mut self.values);
        values.clear();
        if let Some(message) = message {
            values.extend_from_slice(message);
        } else {
            let view = View { machine, frames: &self.next_frames, timeout, room: &self.stepping };
            let context = view.context(&self.next, process);
            let Some(slot) = view.matching_slot(reception.into(), &context)? else {
                return Err(Fault::BlockedInStep);
            };
            let (at, kind) = view.channel(number, &self.next)?;
            let mut channel = Channel::new(&machine.channels[kind], &mut self.next[at + 1..]);
            let parts = machine.channels[kind].fields.len();
            values.extend((0..parts).map(|field| channel.field(slot, field)));
            if !reception.keep {
                channel.remove(slot);
            }
        }
        // SPIN minds what a receive leaves behind, but not what a look at a message leaves out.
        let held = values.len();
        if reception.patterns.len() < held && !reception.keep {
            let view = View { machine, frames: &self.next_frames, timeout, room: &self.stepping };
            view.note_parts(reception.patterns.len(), held);
        }
        values.resize(held.max(reception.patterns.len()), 0);
        let last = reception.patterns.len().saturating_sub(1);
        for (field, (pattern, value)) in reception.patterns.iter().zip(&values).enumerate() {
            // SPIN takes the message away with its last part.
            if field == last && !reception.keep {
                self.watch_message(false, number, &values, violation)?;
            }
            if let CompiledPattern::Store(spot) = pattern {
                self.store(&spot.address, spot.scalar, *value, process, timeout)?;
            }
        }
        self.values = values;
        Ok(())
    }

    fn value(&self, code: &Code, process: usize, timeout: bool) -> Result<i64, Fault> {
        let view = View { machine: self.machine, frames: &self.next_frames, timeout, room: &self.stepping };
        code.run(&view.context(&self.next, process), &view)
    }

    fn store(
        &mut self,
        address: &Code,
        scalar: Scalar,
        value: i64,
        process: usize,
        timeout: bool,
    ) -> Result<(), Fault> {
        let address = self.value(address, process, timeout)? as usize;
        scalar.store(&mut self.next[address..], value);
        Ok(())
    }

    /// Adds a process, with its channels, and returns its pid.
    fn create(&mut self, kind: usize, arguments: &[i64], priority: u32) -> Result<i64, Fault> {
        let pid = self.next_frames.processes.len();
        if pid as u32 >= MOST {
            return Err(Fault::TooManyProcesses(MOST));
        }
        let made = &self.machine.kinds[kind];
        let frame = self.next.len();
        self.next.resize(frame + made.size.max(FRAME_HEADER as usize), 0);
        self.next[frame] = kind as u8;
        self.next[frame + 3] = if self.machine.has_priorities { priority.min(255) as u8 } else { 0 };
        self.next_frames.processes.push(frame as u32);
        self.next[PROCESSES] = self.next_frames.processes.len() as u8;
        for ((offset, scalar), value) in made.parameters.iter().zip(arguments) {
            scalar.store(&mut self.next[frame + *offset as usize..], *value);
        }
        self.start(&made.starts, frame, pid)?;
        Ok(pid as i64)
    }

    /// Gives variables their first values; `frame` is 0 for globals.
    fn start(&mut self, starts: &[Start], frame: usize, process: usize) -> Result<(), Fault> {
        for start in starts {
            let value = match &start.value {
                StartValue::Value(code) => {
                    let view = View {
                        machine: self.machine,
                        frames: &self.next_frames,
                        timeout: false,
                        room: &self.stepping,
                    };
                    let context = Context { bytes: &self.next, local: frame, process: process as u32 };
                    code.run(&context, &view)?
                }
                StartValue::Channel(kind) => {
                    if self.next_frames.channels.len() as u32 >= MOST {
                        return Err(Fault::TooManyChannels(MOST));
                    }
                    self.next_frames.channels.push(self.next.len() as u32);
                    self.next.push(CHANNEL_TAG + *kind as u8);
                    let size = self.machine.channels[*kind].size() as usize;
                    self.next.resize(self.next.len() + size, 0);
                    self.next[CHANNELS] = self.next_frames.channels.len() as u8;
                    self.next_frames.channels.len() as i64
                }
            };
            start.scalar.store(&mut self.next[frame + start.offset as usize..], value);
        }
        Ok(())
    }
}

/// Makes a message as long as those that the channel holds.
fn fit_message(message: &mut Vec<i64>, kind: &ChannelType, view: &View<'_>) {
    if message.len() != kind.fields.len() {
        view.note_parts(message.len(), kind.fields.len());
        message.resize(kind.fields.len(), 0);
    }
}

/// Cuts a message to the types of its fields.
fn cut_message(message: &mut [i64], kind: &ChannelType) {
    for (value, field) in message.iter_mut().zip(&kind.fields) {
        *value = field.wrap(*value);
    }
}
