//! A state looked at: which steps can be taken in it, and what expressions ask of the scheduler.

use std::cell::{Cell, RefCell};

use model::{Channel, Code, Context, Fault, Host};

use super::compiled::{Act, CompiledLocation, CompiledPattern, CompiledStep, Reception};
use super::lower::{ONLY_INSTANCE, POLLS, Question};
use super::program::Machine;
use super::vector::{self, CHANNEL_TAG, FrameStarts, LAST};

/// What looking at states needs besides the states, kept so that looking allocates nothing.
#[derive(Debug, Default)]
pub(super) struct Room {
    /// A bad index that was met. SPIN tells it and goes on with element 0, and so do we.
    pub(super) noted: Cell<Option<Fault>>,
    /// How many questions for `enabled` are being answered.
    enabled: Cell<u32>,
    /// Where in the bytes a frame of zeros is, for questions about processes that do not exist.
    pub(super) absent: Cell<Option<usize>>,
    message: RefCell<Vec<i64>>,
}

/// `enabled` may ask for what is enabled, but not without end.
const DEEPEST_QUESTION: u32 = 3;

/// Answers questions about a state.
pub(super) struct View<'a> {
    pub(super) machine: &'a Machine,
    pub(super) frames: &'a FrameStarts,
    /// Whether `timeout` holds.
    pub(super) timeout: bool,
    pub(super) room: &'a Room,
}

/// How far the search for receivers has come.
#[derive(Debug)]
pub(super) struct Receivers {
    /// Processes below this number have not been asked yet.
    left: usize,
    /// Who is being asked, and with which step to go on.
    current: Option<usize>,
    step: usize,
    /// The escape that the receivers found in this process belong to; others no longer count.
    escape: u32,
}

impl View<'_> {
    pub(super) fn context<'b>(&self, bytes: &'b [u8], process: usize) -> Context<'b> {
        // A formula is asked about states without processes as well, and has no variables of its own.
        let local = self.frames.processes.get(process).map_or(0, |frame| *frame as usize);
        Context { bytes, local, process: process as u32 }
    }

    /// The channel that a value names: where its frame starts, and its kind.
    pub(super) fn channel(&self, value: i64, bytes: &[u8]) -> Result<(usize, usize), Fault> {
        let number = usize::try_from(value - 1).map_err(|_| Fault::NoChannel)?;
        let at = *self.frames.channels.get(number).ok_or(Fault::NoChannel)? as usize;
        Ok((at, (bytes[at] - CHANNEL_TAG) as usize))
    }

    pub(super) fn location(&self, bytes: &[u8], process: usize) -> &CompiledLocation {
        let frame = self.frames.processes[process] as usize;
        &self.machine.kinds[bytes[frame] as usize].locations[vector::location(bytes, frame)]
    }

    /// The slot of the message that a receive would take.
    pub(super) fn matching_slot(
        &self,
        reception: Matching<'_>,
        context: &Context<'_>,
    ) -> Result<Option<u32>, Fault> {
        let (at, kind) = self.channel(reception.channel.run(context, self)?, context.bytes)?;
        let channel = Channel::new(&self.machine.channels[kind], &context.bytes[at + 1..]);
        let held = self.machine.channels[kind].fields.len();
        let most = if reception.random { channel.len() } else { channel.len().min(1) };
        for slot in 0..most {
            let mut matches = true;
            for (field, pattern) in reception.patterns.iter().enumerate() {
                if let CompiledPattern::Match(code) = pattern {
                    let value = if field < held { channel.field(slot, field) } else { 0 };
                    matches &= code.run(context, self)? == value;
                }
            }
            if matches {
                if reception.patterns.len() > held {
                    self.note_parts(reception.patterns.len(), held);
                }
                return Ok(Some(slot));
            }
        }
        Ok(None)
    }

    /// Whether the process can take the step now. A rendezvous needs two, so a receive alone cannot.
    pub(super) fn executable(
        &self,
        step: &CompiledStep,
        bytes: &[u8],
        process: usize,
    ) -> Result<bool, Fault> {
        let context = self.context(bytes, process);
        match &step.act {
            Act::Wait(code) => Ok(code.run(&context, self)? != 0),
            Act::Send { channel, values, .. } => {
                let (at, kind) = self.channel(channel.run(&context, self)?, bytes)?;
                let kind = &self.machine.channels[kind];
                if kind.capacity > 0 {
                    return Ok(!Channel::new(kind, &bytes[at + 1..]).is_full());
                }
                let mut message = self.room.message.take();
                message.clear();
                for value in values {
                    message.push(value.run(&context, self)?);
                }
                let found = self.next_receiver(bytes, process, at, &message, &mut self.receivers())?;
                self.room.message.replace(message);
                Ok(found.is_some())
            }
            Act::Receive(reception) => Ok(self.matching_slot(reception.into(), &context)?.is_some()),
            Act::End => Ok(process + 1 == self.frames.processes.len()),
            Act::Indivisible(locations) => {
                for first in &locations[0].steps {
                    if self.executable_inside(first, bytes, process)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            _ => Ok(true),
        }
    }

    /// Whether the process can take the step of a `d_step` now. A rendezvous that it offers is a fault, whether or not
    /// anybody would take it.
    pub(super) fn executable_inside(
        &self,
        step: &CompiledStep,
        bytes: &[u8],
        process: usize,
    ) -> Result<bool, Fault> {
        if let Act::Send { channel, .. } = &step.act {
            let (_, kind) = self.channel(channel.run(&self.context(bytes, process), self)?, bytes)?;
            if self.machine.channels[kind].capacity == 0 {
                return Ok(true);
            }
        }
        self.executable(step, bytes, process)
    }

    /// Everybody may receive, as far as is known.
    pub(super) fn receivers(&self) -> Receivers {
        Receivers { left: self.frames.processes.len(), current: None, step: 0, escape: 0 }
    }

    /// Who else could receive `message` from the rendezvous channel at `channel`: process and step, in
    /// the order in which SPIN looks.
    pub(super) fn next_receiver(
        &self,
        bytes: &[u8],
        sender: usize,
        channel: usize,
        message: &[i64],
        receivers: &mut Receivers,
    ) -> Result<Option<(usize, usize)>, Fault> {
        loop {
            let process = match receivers.current {
                Some(process) => process,
                None if receivers.left == 0 => return Ok(None),
                None => {
                    receivers.left -= 1;
                    let process = receivers.left;
                    if process == sender || !self.may_receive(bytes, sender, process, channel, message)? {
                        continue;
                    }
                    (receivers.current, receivers.step, receivers.escape) = (Some(process), 0, 0);
                    process
                }
            };
            let context = self.context(bytes, process);
            while let Some(step) = self.location(bytes, process).steps.get(receivers.step) {
                if receivers.escape > 0 && receivers.escape != step.escape {
                    break;
                }
                receivers.step += 1;
                if let Some(reception) = reception(step)
                    && self.receives(reception, &context, channel, message)?
                {
                    receivers.escape = step.escape;
                    return Ok(Some((process, receivers.step - 1)));
                }
            }
            receivers.current = None;
        }
    }

    /// Whether `provided` and priorities let the process take what is offered: of those who could, only
    /// the ones with the highest priority may.
    fn may_receive(
        &self,
        bytes: &[u8],
        sender: usize,
        process: usize,
        channel: usize,
        message: &[i64],
    ) -> Result<bool, Fault> {
        if !self.is_provided(bytes, process)? {
            return Ok(false);
        }
        if !self.machine.has_priorities {
            return Ok(true);
        }
        for other in (0..self.frames.processes.len()).filter(|other| ![sender, process].contains(other)) {
            if !self.is_above(bytes, other, process) || !self.is_provided(bytes, other)? {
                continue;
            }
            let context = self.context(bytes, other);
            for reception in self.location(bytes, other).steps.iter().filter_map(reception) {
                if self.receives(reception, &context, channel, message)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    fn receives(
        &self,
        reception: &Reception,
        context: &Context<'_>,
        channel: usize,
        message: &[i64],
    ) -> Result<bool, Fault> {
        let value = reception.channel.run(context, self)?;
        // A receive on a channel that does not exist is that process's own fault, in its own time.
        let Ok((at, kind)) = self.channel(value, context.bytes) else { return Ok(false) };
        if at != channel {
            return Ok(false);
        }
        let fields = &self.machine.channels[kind].fields;
        for (field, pattern) in reception.patterns.iter().enumerate() {
            let part = fields.get(field).zip(message.get(field));
            if let CompiledPattern::Match(code) = pattern
                && code.run(context, self)? != part.map_or(0, |(field, value)| field.wrap(*value))
            {
                return Ok(false);
            }
        }
        if reception.patterns.len() > fields.len() {
            self.note_parts(reception.patterns.len(), fields.len());
        }
        Ok(true)
    }

    /// Takes note of a message that has more or fewer parts than its channel holds. SPIN goes on with
    /// those there are, and with 0 for the others.
    pub(super) fn note_parts(&self, given: usize, held: usize) {
        self.room.noted.set(Some(Fault::MessageParts { given: given as u32, held: held as u32 }));
    }

    /// Whether priorities and `provided` let the process move.
    pub(super) fn may_move(&self, bytes: &[u8], process: usize) -> Result<bool, Fault> {
        if !self.is_provided(bytes, process)? {
            return Ok(false);
        }
        if self.machine.has_priorities {
            for other in 0..self.frames.processes.len() {
                if self.is_above(bytes, other, process)
                    && self.is_provided(bytes, other)?
                    && self.can_step(bytes, other)?
                {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    fn is_provided(&self, bytes: &[u8], process: usize) -> Result<bool, Fault> {
        let frame = self.frames.processes[process] as usize;
        match &self.machine.kinds[bytes[frame] as usize].provided {
            Some(provided) => Ok(provided.run(&self.context(bytes, process), self)? != 0),
            None => Ok(true),
        }
    }

    /// Whether `other` has a higher priority than `process`.
    fn is_above(&self, bytes: &[u8], other: usize, process: usize) -> bool {
        let priority = |process: usize| vector::priority(bytes, self.frames.processes[process] as usize);
        priority(other) > priority(process)
    }

    /// Whether the process has a step it could take, priorities aside.
    pub(super) fn can_step(&self, bytes: &[u8], process: usize) -> Result<bool, Fault> {
        for step in &self.location(bytes, process).steps {
            if self.executable(step, bytes, process)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The answer to `enabled(other)`, asked by `process`.
    fn answer_enabled(&self, bytes: &[u8], process: usize, other: usize) -> Result<bool, Fault> {
        let depth = self.room.enabled.get();
        if other == process || depth == DEEPEST_QUESTION {
            return Err(Fault::EndlessQuestion);
        }
        self.room.enabled.set(depth + 1);
        let answer = self.can_step(bytes, other);
        self.room.enabled.set(depth);
        answer
    }
}

/// The receive that a step begins with.
fn reception(step: &CompiledStep) -> Option<&Reception> {
    match &step.act {
        Act::Receive(reception) => Some(reception),
        Act::Indivisible(locations) => locations[0].steps.iter().find_map(reception),
        _ => None,
    }
}

/// What a receive or a poll looks for.
#[derive(Clone, Copy)]
pub(super) struct Matching<'a> {
    pub(super) channel: &'a Code,
    pub(super) patterns: &'a [CompiledPattern],
    pub(super) random: bool,
}

impl<'a> From<&'a Reception> for Matching<'a> {
    fn from(reception: &'a Reception) -> Self {
        Self { channel: &reception.channel, patterns: &reception.patterns, random: reception.random }
    }
}

impl Host for View<'_> {
    fn ask(&self, question: u32, arguments: &[i64], context: &Context<'_>) -> Result<i64, Fault> {
        if question >= POLLS {
            let poll = &self.machine.polls[(question - POLLS) as usize];
            let looked_for =
                Matching { channel: &poll.channel, patterns: &poll.patterns, random: poll.random };
            let (_, kind) = self.channel(poll.channel.run(context, self)?, context.bytes)?;
            if self.machine.channels[kind].capacity == 0 {
                self.room.noted.set(Some(Fault::PollRendezvous));
                return Ok(0);
            }
            return Ok(i64::from(self.matching_slot(looked_for, context)?.is_some()));
        }
        let Some(question) = Question::from_number(question) else { return Ok(0) };
        let bytes = context.bytes;
        let process = |value: i64| {
            let number = usize::try_from(value).ok().filter(|number| *number < self.frames.processes.len());
            number.ok_or(Fault::NoProcess(value))
        };
        Ok(match question {
            Question::Pid => i64::from(context.process),
            Question::ProcessCount => self.frames.processes.len() as i64,
            Question::Last => i64::from(bytes[LAST]),
            Question::Priority => i64::from(vector::priority(bytes, context.local)),
            Question::PriorityOf => process(arguments[0]).map_or(0, |process| {
                i64::from(vector::priority(bytes, self.frames.processes[process] as usize))
            }),
            Question::Timeout => i64::from(self.timeout),
            Question::NonProgress => {
                let at_progress = |process| self.location(bytes, process).progress;
                i64::from(!(0..self.frames.processes.len()).any(at_progress))
            }
            Question::Enabled => match process(arguments[0]) {
                Ok(other) => i64::from(self.answer_enabled(bytes, context.process as usize, other)?),
                Err(_) => 0,
            },
            Question::PcValue => process(arguments[0])
                .map_or(0, |process| vector::location(bytes, self.frames.processes[process] as usize) as i64),
            Question::Len | Question::Full | Question::Empty => {
                let (at, kind) = self.channel(arguments[0], bytes)?;
                let channel = Channel::new(&self.machine.channels[kind], &bytes[at + 1..]);
                match question {
                    Question::Len => i64::from(channel.len()),
                    Question::Full => i64::from(channel.is_full()),
                    _ => i64::from(channel.is_empty()),
                }
            }
            // A process that does not exist stands nowhere.
            Question::At => self
                .instance(arguments[0], arguments[1], bytes)
                .map_or(0, |frame| i64::from(vector::location(bytes, frame) as i64 == arguments[2])),
        })
    }

    fn outside(&self, index: i64, length: u32) -> Result<i64, Fault> {
        self.room.noted.set(Some(Fault::Index { index, length }));
        Ok(0)
    }

    fn frame_of(&self, value: i64, context: &Context<'_>) -> Result<usize, Fault> {
        let found = self.instance(value >> 32, i64::from(value as i32), context.bytes);
        found.or_else(|fault| self.room.absent.get().ok_or(fault))
    }
}

impl View<'_> {
    /// The frame of the process of this kind that `pid` names, or of the only one if it names none.
    fn instance(&self, kind: i64, pid: i64, bytes: &[u8]) -> Result<usize, Fault> {
        let of_kind = |frame: &&u32| i64::from(bytes[**frame as usize]) == kind;
        let found = if pid == ONLY_INSTANCE {
            self.frames.processes.iter().find(of_kind)
        } else {
            usize::try_from(pid).ok().and_then(|pid| self.frames.processes.get(pid)).filter(of_kind)
        };
        found.map(|frame| *frame as usize).ok_or(Fault::NoProcess(pid))
    }
}
