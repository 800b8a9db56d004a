//! Expressions of one process in one state of a trace, with all that is no matter of values settled.

use model::{Base, Binary, Context, Expr, Host, Index, Place, compile};

use super::super::lower::{Lowering, POLLS, Poll, Question};
use super::super::view::View;
use super::{AccountWriter, all_of, any_of, place_in};
use crate::resolve;

/// Where a process stands on the trace.
pub(super) struct ProcessFrame<'g> {
    view: &'g View<'g>,
    context: Context<'g>,
    lowering: Lowering<'g>,
    /// The frames of processes and channels.
    processes: Vec<u32>,
    channels: Vec<u32>,
    /// The frame of the process itself.
    own: u32,
    /// What is taken for granted: that the same processes and channels are meant.
    pub(super) assumed: Vec<Expr>,
}

/// A channel on the trace.
#[derive(Clone, Copy)]
pub(super) struct Held<'g> {
    pub(super) frame: u32,
    pub(super) kind: &'g model::ChannelType,
    /// How many messages it holds.
    pub(super) length: u32,
}

impl Held<'_> {
    pub(super) fn slot(&self, slot: u32, field: usize) -> Place {
        place_in(self.frame, self.kind.offset(slot, field), self.kind.fields[field])
    }

    /// A field of a message, which is 0 where the channel holds none such.
    pub(super) fn field(&self, slot: u32, field: usize) -> Expr {
        if field < self.kind.fields.len() { Expr::Load(self.slot(slot, field)) } else { Expr::Constant(0) }
    }
}

impl<'g> ProcessFrame<'g> {
    pub(super) fn new(writer: &'g AccountWriter<'_>, view: &'g View<'g>, context: Context<'g>) -> Self {
        let own = writer.processes.get(context.process as usize).copied().unwrap_or(super::GLOBALS);
        Self {
            view,
            context,
            lowering: writer.lowering(),
            processes: writer.processes.clone(),
            channels: writer.channels.clone(),
            own,
            assumed: Vec::new(),
        }
    }

    pub(super) fn expr(&mut self, expr: &resolve::Expr) -> Option<Expr> {
        let lowered = self.lowering.expr(expr);
        self.settle(lowered)
    }

    pub(super) fn place(&mut self, place: &resolve::Place) -> Option<Place> {
        let lowered = self.lowering.place(place);
        self.settle_place(lowered)
    }

    /// The channel that is meant on the trace, which is taken for granted.
    pub(super) fn channel(&mut self, place: &resolve::Place) -> Option<Held<'g>> {
        let lowered = self.lowering.channel(place);
        self.held(lowered)
    }

    /// What a pattern does with a part of a message.
    pub(super) fn pattern(&mut self, pattern: &resolve::Pattern) -> Option<model::Pattern> {
        let lowered = self.lowering.pattern(pattern);
        self.settle_pattern(lowered)
    }

    /// When a receive finds a message in a buffered channel; nothing of a rendezvous.
    pub(super) fn matches(
        &mut self,
        channel: &resolve::Place,
        random: bool,
        patterns: &[resolve::Pattern],
    ) -> Option<Expr> {
        let channel = self.lowering.channel(channel);
        let patterns = patterns.iter().map(|pattern| self.lowering.pattern(pattern)).collect();
        self.polled(Poll { channel, random, patterns })
    }

    fn polled(&mut self, poll: Poll) -> Option<Expr> {
        let held = self.held(poll.channel)?;
        if held.kind.capacity == 0 {
            return None;
        }
        let patterns: Option<Vec<model::Pattern>> =
            poll.patterns.into_iter().map(|pattern| self.settle_pattern(pattern)).collect();
        let patterns = patterns?;
        let most = if poll.random { held.length } else { held.length.min(1) };
        Some(any_of((0..most).map(|slot| matched(&held, slot, &patterns))))
    }

    fn held(&mut self, channel: Expr) -> Option<Held<'g>> {
        let number = self.run(&channel)?;
        self.assume(channel, number)?;
        let (at, kind) = self.view.channel(number, self.context.bytes).ok()?;
        let kind = &self.view.machine.channels[kind];
        let length = model::Channel::new(kind, &self.context.bytes[at + 1..]).len();
        let frame = *self.channels.get(usize::try_from(number - 1).ok()?)?;
        Some(Held { frame, kind, length })
    }

    /// What an expression is on the trace.
    fn run(&self, expr: &Expr) -> Option<i64> {
        let value = compile(expr).ok()?.run(&self.context, self.view).ok();
        // An index outside of its array is no place to be sure of.
        self.view.room.noted.take().is_none().then_some(value)?
    }

    fn assume(&mut self, expr: Expr, value: i64) -> Option<()> {
        let settled = self.settle(expr)?;
        if settled != Expr::Constant(value) {
            self.assumed.push(Expr::binary(Binary::Equal, settled, Expr::Constant(value)));
        }
        Some(())
    }

    fn settle(&mut self, expr: Expr) -> Option<Expr> {
        Some(match expr {
            Expr::Constant(_) => expr,
            Expr::Load(place) => Expr::Load(self.settle_place(place)?),
            Expr::Unary(operator, inner) => Expr::Unary(operator, self.boxed(*inner)?),
            Expr::Binary(operator, one, other) => {
                Expr::Binary(operator, self.boxed(*one)?, self.boxed(*other)?)
            }
            Expr::AndAlso(one, other) => Expr::AndAlso(self.boxed(*one)?, self.boxed(*other)?),
            Expr::OrElse(one, other) => Expr::OrElse(self.boxed(*one)?, self.boxed(*other)?),
            Expr::Choose(condition, then, otherwise) => {
                Expr::Choose(self.boxed(*condition)?, self.boxed(*then)?, self.boxed(*otherwise)?)
            }
            Expr::Wrap(scalar, inner) => Expr::Wrap(scalar, self.boxed(*inner)?),
            Expr::Deref(scalar, inner) => Expr::Deref(scalar, self.boxed(*inner)?),
            Expr::Apply(primitive, values) => {
                let values: Option<Vec<Expr>> = values.into_iter().map(|value| self.settle(value)).collect();
                Expr::Apply(primitive, values?)
            }
            Expr::Ask(question, arguments) => self.answered(question, arguments)?,
        })
    }

    fn boxed(&mut self, expr: Expr) -> Option<Box<Expr>> {
        self.settle(expr).map(Box::new)
    }

    fn answered(&mut self, question: u32, arguments: Vec<Expr>) -> Option<Expr> {
        if let Some(poll) = question.checked_sub(POLLS) {
            let poll = self.lowering.polls.get(poll as usize)?.clone();
            // That a rendezvous is looked for says nothing about values.
            return Some(self.polled(poll).unwrap_or(Expr::Constant(0)));
        }
        // Operands that were not looked at may have no answer.
        let answer = self.run(&Expr::Ask(question, arguments.clone()));
        let about_channel = [Question::Len, Question::Full, Question::Empty].map(|known| known as u32);
        if about_channel.contains(&question)
            && let (Some(_), [channel]) = (answer, &arguments[..])
            && let Some(number) = self.run(channel)
        {
            self.assume(channel.clone(), number)?;
        }
        Some(Expr::Constant(answer.unwrap_or(0)))
    }

    fn settle_place(&mut self, place: Place) -> Option<Place> {
        let Place { base, offset, indices, scalar } = place;
        let indices: Option<Vec<Index>> = indices
            .into_iter()
            .map(|index| Some(Index { value: self.settle(index.value)?, ..index }))
            .collect();
        let frame = match base {
            Base::Global => super::GLOBALS,
            Base::Local => self.own,
            Base::Of(process) => {
                let value = self.run(&process)?;
                let at = self.view.frame_of(value, &self.context).ok()?;
                let pid = self.view.frames.processes.iter().position(|start| *start as usize == at)?;
                self.assume(*process, value)?;
                *self.processes.get(pid)?
            }
        };
        Some(Place { indices: indices?, ..place_in(frame, offset, scalar) })
    }

    fn settle_pattern(&mut self, pattern: model::Pattern) -> Option<model::Pattern> {
        Some(match pattern {
            model::Pattern::Store(place) => model::Pattern::Store(self.settle_place(place)?),
            model::Pattern::Match(expr) => model::Pattern::Match(self.settle(expr)?),
            model::Pattern::Any => model::Pattern::Any,
        })
    }
}

/// When the message in a slot is one that the patterns take.
pub(super) fn matched(held: &Held<'_>, slot: u32, patterns: &[model::Pattern]) -> Expr {
    let equal = |(field, pattern): (usize, &model::Pattern)| match pattern {
        model::Pattern::Match(wanted) => {
            Some(Expr::binary(Binary::Equal, held.field(slot, field), wanted.clone()))
        }
        model::Pattern::Store(_) | model::Pattern::Any => None,
    };
    all_of(patterns.iter().enumerate().filter_map(equal))
}
