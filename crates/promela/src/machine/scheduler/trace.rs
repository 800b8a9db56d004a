//! Trace assertions: an automaton that watches the messages.
//!
//! A `trace` says in which order messages go through the channels it mentions. It moves with every send
//! to a channel it has a send for and with every receive from a channel it has a receive for, and a
//! message it cannot move with is wrong. A `notrace` says what must not happen: it gives up at the first
//! message it cannot move with, and reaching its end is wrong. Where a trace stands is part of the state.
//!
//! SPIN looks for the message of an event at the end of the channel (sent) or at its front (received);
//! we look at the message itself, which is another one after a sorted send and in a random receive. And
//! SPIN already counts the offer of a rendezvous that nobody takes.

use model::{Code, Context, Fault};

use super::super::compiled::{Act, CompiledLocation, CompiledPattern, CompiledStep, Trace};
use super::super::frames::STATE_HEADER;
use super::super::program::Machine;
use super::super::view::View;
use super::Scheduler;

/// Where in a state the place of the trace is.
const AT: usize = STATE_HEADER as usize;
/// A `notrace` that has given up stands here.
const OVER: u16 = u16::MAX;

impl Trace {
    fn location<'m>(&self, machine: &'m Machine, state: &[u8]) -> Option<&'m CompiledLocation> {
        let at = u16::from_le_bytes([state[AT], state[AT + 1]]);
        (at != OVER).then(|| &machine.kinds[self.kind].locations[usize::from(at)])
    }

    /// Whether a trace of the system may end where this one stands.
    pub(super) fn may_end(&self, machine: &Machine, state: &[u8]) -> bool {
        self.location(machine, state).is_none_or(|location| location.valid_end)
    }

    /// Whether the trace has an event of this direction on this channel.
    fn watches(&self, sent: bool, channel: i64, asker: &Asker<'_>) -> Result<bool, Fault> {
        let locations = &asker.view.machine.kinds[self.kind].locations;
        for step in locations.iter().flat_map(|location| &location.steps) {
            if let Act::Event(event) = &step.act
                && event.sent == sent
                && asker.value(&event.channel)? == channel
            {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Evaluates the expressions of a trace, which knows only globals.
struct Asker<'a> {
    view: View<'a>,
    context: Context<'a>,
}

impl Asker<'_> {
    fn value(&self, code: &Code) -> Result<i64, Fault> {
        code.run(&self.context, &self.view)
    }

    fn matches(&self, step: &CompiledStep, sent: bool, channel: i64, message: &[i64]) -> Result<bool, Fault> {
        let event = match &step.act {
            Act::Event(event) => event,
            // A jump that begins a choice takes any message.
            Act::Skip => return Ok(true),
            _ => return Ok(false),
        };
        if event.sent != sent || self.value(&event.channel)? != channel {
            return Ok(false);
        }
        for (pattern, value) in event.patterns.iter().zip(message) {
            if let CompiledPattern::Match(code) = pattern
                && self.value(code)? != *value
            {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl Scheduler<'_> {
    /// Tells the trace assertion, if there is one, of a message sent to or received from a channel.
    pub(super) fn watch_message(
        &mut self,
        sent: bool,
        channel: i64,
        message: &[i64],
        violation: &mut Option<u32>,
    ) -> Result<(), Fault> {
        if let Some(wrong) = self.move_trace(sent, channel, message)? {
            violation.get_or_insert(self.violation(wrong));
        }
        Ok(())
    }

    /// Moves the trace; tells if that is wrong.
    fn move_trace(&mut self, sent: bool, channel: i64, message: &[i64]) -> Result<Option<Fault>, Fault> {
        let machine = self.machine;
        let Some(trace) = machine.trace else { return Ok(None) };
        let view = View { machine, frames: &self.next_frames, timeout: false, room: &self.stepping };
        let asker = Asker { view, context: Context { bytes: &self.next, local: 0, process: 0 } };
        if !trace.watches(sent, channel, &asker)? {
            return Ok(None);
        }
        let Some(location) = trace.location(machine, &self.next) else { return Ok(None) };
        let mut moved = None;
        for step in &location.steps {
            if asker.matches(step, sent, channel, message)? {
                if moved.is_some() {
                    return Ok(Some(Fault::AmbiguousTrace));
                }
                moved = Some(step.target);
            }
        }
        let at = match moved {
            Some(target) => target as u16,
            None if trace.negated && !location.is_end() => OVER,
            None if trace.negated => return Ok(None),
            None => return Ok(Some(Fault::UnexpectedMessage)),
        };
        self.next[AT..AT + 2].copy_from_slice(&at.to_le_bytes());
        let reached = trace.location(machine, &self.next);
        let reached_end = moved.is_some() && reached.is_some_and(CompiledLocation::is_end);
        Ok((trace.negated && reached_end).then_some(Fault::ForbiddenMessages))
    }
}
