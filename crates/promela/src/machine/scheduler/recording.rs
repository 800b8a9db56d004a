//! A step again, statement by statement: a rendezvous is two of them, a `d_step` as many as it executes.

use super::super::compiled::{Act, CompiledStep};
use super::super::event::Event;
use super::super::view::View;
use super::executing::{cut_message, fit_message};
use super::{FrameStarts, Room, Scheduler};

/// How many statements of one `d_step` are recorded.
const MOST_DEEDS: usize = 4096;

/// A statement that a process executed.
#[derive(Clone, Debug)]
pub(in super::super) struct Deed {
    pub(in super::super) process: usize,
    pub(in super::super) statement: u32,
    /// The statements that come before it in the same place: an `else` is executed where they cannot be.
    pub(in super::super) before_it: Vec<u32>,
    /// Whether what it receives comes from a rendezvous.
    pub(in super::super) meets: bool,
    /// Whether `timeout` holds.
    pub(in super::super) timeout: bool,
    pub(in super::super) before: Vec<u8>,
    pub(in super::super) after: Vec<u8>,
}

/// What is recorded of a `d_step`.
#[derive(Debug, Default)]
pub(super) struct Record {
    pub(super) deeds: Vec<Deed>,
    overflows: bool,
}

impl Record {
    pub(super) fn begin(
        &mut self,
        process: usize,
        timeout: bool,
        meets: bool,
        steps: &[CompiledStep],
        statement: u32,
        before: &[u8],
    ) {
        if self.deeds.len() == MOST_DEEDS {
            self.overflows = true;
            return;
        }
        let before_it = before_it(steps, statement);
        let (before, after) = (before.to_vec(), before.to_vec());
        self.deeds.push(Deed { process, statement, before_it, meets, timeout, before, after });
    }

    pub(super) fn end(&mut self, after: &[u8]) {
        if let (false, Some(deed)) = (self.overflows, self.deeds.last_mut()) {
            deed.after = after.to_vec();
        }
    }
}

fn before_it(steps: &[CompiledStep], statement: u32) -> Vec<u32> {
    steps.iter().map(|step| step.statement).take_while(|other| *other != statement).collect()
}

impl Scheduler<'_> {
    /// The statements that are executed in an event of this state; nothing if it is none, or too long.
    pub(in super::super) fn deeds(&mut self, state: &[u8], event: Event) -> Option<Vec<Deed>> {
        let machine = self.machine;
        let mut frames = FrameStarts::default();
        frames.find(state, machine.globals, &machine.kinds, &machine.channels);
        let room = Room::default();
        let calm = View { machine, frames: &frames, timeout: false, room: &room };
        let process = usize::from(event.process);
        frames.processes.get(process)?;
        let steps = &calm.location(state, process).steps;
        let step = steps.iter().find(|step| step.statement == event.statement)?;
        let timeout = machine.has_timeout && calm.executable(step, state, process) == Ok(false);
        let view = View { timeout, ..calm };
        let Some((receiver, statement)) = event.partner else {
            return self.deeds_of(&view, state, process, steps, step, None);
        };
        let Act::Send { channel, values, .. } = &step.act else { return None };
        let context = view.context(state, process);
        let (_, kind) = view.channel(channel.run(&context, &view).ok()?, state).ok()?;
        let message: Result<Vec<i64>, _> = values.iter().map(|value| value.run(&context, &view)).collect();
        let mut message = message.ok()?;
        fit_message(&mut message, &machine.channels[kind], &view);
        cut_message(&mut message, &machine.channels[kind]);
        let mut deeds = vec![Deed {
            process,
            statement: step.statement,
            before_it: before_it(steps, step.statement),
            meets: true,
            timeout: view.timeout,
            before: state.to_vec(),
            after: state.to_vec(),
        }];
        let receiver = usize::from(receiver);
        frames.processes.get(receiver)?;
        let steps = &view.location(state, receiver).steps;
        let received = steps.iter().find(|step| step.statement == statement)?;
        deeds.extend(self.deeds_of(&view, state, receiver, steps, received, Some(&message))?);
        Some(deeds)
    }

    fn deeds_of(
        &mut self,
        view: &View<'_>,
        state: &[u8],
        process: usize,
        steps: &[CompiledStep],
        step: &CompiledStep,
        message: Option<&[i64]>,
    ) -> Option<Vec<Deed>> {
        self.begin(view, state);
        self.executing = step.statement;
        let mut record = Record::default();
        let is_one = !matches!(step.act, Act::Indivisible(_));
        if is_one {
            record.begin(process, view.timeout, message.is_some(), steps, step.statement, state);
        }
        self.record = Some(record);
        // A fault is the end of what is executed.
        let done = self.apply(&step.act, process, view.timeout, message, &mut None);
        self.stepping.noted.take();
        let mut record = self.record.take()?;
        if is_one && done.is_ok() {
            record.end(&self.next);
        }
        (!record.overflows).then_some(record.deeds)
    }
}
