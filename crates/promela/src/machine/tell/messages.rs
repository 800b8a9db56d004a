//! Why a message is not sent or not received.
//!
//! A buffered channel is full, or empty, or begins with another message. A rendezvous needs a partner,
//! and one that is there but wants something else is the best hint there is.

use model::Code;

use super::super::compiled::{Act, CompiledPattern, CompiledStep, Reception};
use super::scene::Scene;
use super::spelling;
use crate::resolve::{Expr, ExprKind, MtypeId, Pattern, Place, StmtKind, Type};

/// So many partners that do not fit are told at most.
const MOST_PARTNERS: usize = 3;

impl<'m> Scene<'_, 'm> {
    /// A channel as the statement names it, and whose it is if that is another name.
    pub(super) fn channel_text(&self, process: usize, place: &Place) -> String {
        let name = self.place_text(process, place);
        let own = self
            .channel(process, place)
            .map(|channel| self.teller.channel_name(&self.look, self.state, channel, Some(process)));
        match own {
            Some(own) if own != name => format!("`{name}` (`{own}`)"),
            _ => format!("`{name}`"),
        }
    }

    pub(super) fn why_not_sent(
        &self,
        process: usize,
        place: &Place,
        exprs: &[Expr],
        values: &[Code],
    ) -> Option<String> {
        let name = self.channel_text(process, place);
        let Some(channel) = self.channel(process, place) else {
            return Some(self.no_channel(process, place));
        };
        let capacity = self.teller.channel_type(&self.look, self.state, channel).capacity;
        if capacity > 0 {
            let held = self.teller.held(&self.look, self.state, channel).len();
            return (held == capacity).then(|| format!("{name} is full ({held} of {capacity})"));
        }
        let message = self.message(process, channel, values)?;
        let mut ready = Vec::new();
        for (taker, step) in self.partners(process) {
            let Act::Receive(reception) = &step.act else { continue };
            let Some(StmtKind::Receive { patterns, .. }) = self.origin(step).map(|origin| &origin.kind)
            else {
                continue;
            };
            if self.refers_to(taker, &reception.channel) != Some(channel) {
                continue;
            }
            let wanted = spelling::patterns(self.teller.program, patterns);
            let who = self.name(taker);
            if self.accepts(taker, reception, &message) {
                ready.push(format!("`{who}` would receive it, but may not move"));
            } else {
                let facts = self.pattern_facts(taker, patterns);
                ready.push(format!("`{who}` waits for `{wanted}`{facts}"));
            }
        }
        let kinds: Vec<Option<MtypeId>> = exprs.iter().map(mtype_of).collect();
        let message = self.teller.message_text(&self.look, self.state, channel, &kinds, message.into_iter());
        Some(with_hints(format!("nobody is ready to receive {message} from {name}"), &ready))
    }

    pub(super) fn why_not_received(
        &self,
        process: usize,
        place: &Place,
        reception: &Reception,
        patterns: &[Pattern],
    ) -> Option<String> {
        let name = self.channel_text(process, place);
        let Some(channel) = self.channel(process, place) else {
            return Some(self.no_channel(process, place));
        };
        let wanted = spelling::patterns(self.teller.program, patterns);
        if self.teller.channel_type(&self.look, self.state, channel).capacity == 0 {
            let compared = compared_with(patterns);
            return Some(self.no_sender(process, &name, channel, reception, &wanted, &compared));
        }
        let held = self.teller.held(&self.look, self.state, channel);
        if held.is_empty() {
            return Some(format!("{name} is empty"));
        }
        let matches =
            self.with_view(|view| view.matching_slot(reception.into(), &view.context(self.state, process)));
        if !matches!(matches, Ok(None)) {
            return None;
        }
        let facts = self.pattern_facts(process, patterns);
        Some(if reception.random {
            format!("no message in {name} matches `{wanted}`{facts}")
        } else {
            let compared = compared_with(patterns);
            let first = self.teller.slot_text(&self.look, self.state, channel, &compared, 0);
            format!("the first message in {name} is {first}, which does not match `{wanted}`{facts}")
        })
    }

    fn no_sender(
        &self,
        process: usize,
        name: &str,
        channel: usize,
        reception: &Reception,
        wanted: &str,
        compared: &[Option<MtypeId>],
    ) -> String {
        let mut offers = Vec::new();
        for (sender, step) in self.partners(process) {
            let Act::Send { channel: code, values, .. } = &step.act else { continue };
            if self.refers_to(sender, code) != Some(channel) {
                continue;
            }
            let Some(message) = self.message(sender, channel, values) else { continue };
            let matches = self.accepts(process, reception, &message);
            let message =
                self.teller.message_text(&self.look, self.state, channel, compared, message.into_iter());
            let who = self.name(sender);
            offers.push(if matches {
                format!("`{who}` offers {message}, but may not move")
            } else {
                format!("`{who}` offers {message}, which does not match `{wanted}`")
            });
        }
        if offers.is_empty() {
            return format!("nobody offers to send on {name}");
        }
        with_hints(format!("nobody offers what it needs on {name}"), &offers)
    }

    fn no_channel(&self, process: usize, place: &Place) -> String {
        let name = self.place_text(process, place);
        match self.load(process, place) {
            Some(0) => format!("`{name}` refers to no channel: it was never initialised"),
            Some(_) => format!("`{name}` refers to a channel that is gone: its process has ended"),
            None => format!("`{name}` has no value"),
        }
    }

    /// The steps of all other processes, with those that begin a `d_step`.
    fn partners(&self, process: usize) -> impl Iterator<Item = (usize, &'m CompiledStep)> {
        let others = (0..self.look.frames.processes.len()).filter(move |other| *other != process);
        others.flat_map(|other| {
            let steps = self.steps(other).iter().flat_map(|step| match &step.act {
                Act::Indivisible(locations) => &locations[0].steps[..],
                _ => std::slice::from_ref(step),
            });
            steps.map(move |step| (other, step))
        })
    }

    fn refers_to(&self, process: usize, code: &Code) -> Option<usize> {
        self.look.channel(self.run(process, code).ok()?)
    }

    /// The message that a send would put into the channel.
    fn message(&self, process: usize, channel: usize, values: &[Code]) -> Option<Vec<i64>> {
        let fields = &self.teller.channel_type(&self.look, self.state, channel).fields;
        let values = values.iter().zip(fields);
        values.map(|(value, field)| Some(field.wrap(self.run(process, value).ok()?))).collect()
    }

    fn accepts(&self, process: usize, reception: &Reception, message: &[i64]) -> bool {
        reception.patterns.iter().zip(message).all(|(pattern, value)| match pattern {
            CompiledPattern::Match(code) => self.run(process, code) == Ok(*value),
            CompiledPattern::Store(_) | CompiledPattern::Any => true,
        })
    }
}

fn with_hints(reason: String, hints: &[String]) -> String {
    if hints.is_empty() {
        return reason;
    }
    let told = hints.len().min(MOST_PARTNERS);
    let more = if told < hints.len() { "; ..." } else { "" };
    format!("{reason}: {}{more}", hints[..told].join("; "))
}

/// Of which mtype the fields of a message are compared with constants or variables.
pub(super) fn compared_with(patterns: &[Pattern]) -> Vec<Option<MtypeId>> {
    let kind = |pattern: &Pattern| match pattern {
        Pattern::Match(expr) => mtype_of(expr),
        Pattern::Store(place) => mtype(place.ty),
        Pattern::Ignore(_) => None,
    };
    patterns.iter().map(kind).collect()
}

fn mtype_of(expr: &Expr) -> Option<MtypeId> {
    match &expr.kind {
        ExprKind::MtypeConstant(kind, _) => Some(*kind),
        ExprKind::Load(place) => mtype(place.ty),
        _ => None,
    }
}

fn mtype(kind: Type) -> Option<MtypeId> {
    match kind {
        Type::Mtype(mtype) => Some(mtype),
        _ => None,
    }
}
