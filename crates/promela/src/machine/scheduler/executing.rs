//! Doing what a statement says, in the state that a step leads to.

use model::{Channel, ChannelType, Code, Fault, Scalar};

use super::super::compiled::{Act, CompiledLocation, CompiledPattern, CompiledStep, Reception};
use super::super::event::{ASSERTION, Breach};
use super::super::vector::{CHANNELS, PROCESSES};
use super::super::view::View;
use super::Scheduler;

/// How long a `d_step` may run before it is taken to run for ever, and how long without being watched.
const LONGEST_STEP: u32 = 1_000_000;
const SURELY_SHORT: u32 = 64;

impl Scheduler<'_> {
    /// Changes the next state as `act`, which can be executed, says. `message` is what a rendezvous
    /// brings.
    pub(super) fn apply(
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
                // Elsewhere a rendezvous is a step of two; only in a `d_step` it gets here.
                if machine.channels[kind].capacity == 0 {
                    return Err(Fault::RendezvousInStep);
                }
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
                if by_message || view.executable_inside(step, &self.next, process)? {
                    chosen = Some(step);
                    break;
                }
            }
            let step = chosen.ok_or(Fault::BlockedInStep)?;
            self.executing = step.statement;
            if let Some(record) = &mut self.record {
                record.begin(process, timeout, message.is_some(), steps, step.statement, &self.next);
            }
            self.apply(&step.act, process, timeout, message.take(), violation)?;
            if let Some(record) = &mut self.record {
                record.end(&self.next);
            }
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
}

/// Makes a message as long as those that the channel holds.
pub(super) fn fit_message(message: &mut Vec<i64>, kind: &ChannelType, view: &View<'_>) {
    if message.len() != kind.fields.len() {
        view.note_parts(message.len(), kind.fields.len());
        message.resize(kind.fields.len(), 0);
    }
}

/// Cuts a message to the types of its fields.
pub(super) fn cut_message(message: &mut [i64], kind: &ChannelType) {
    for (value, field) in message.iter_mut().zip(&kind.fields) {
        *value = field.wrap(*value);
    }
}
