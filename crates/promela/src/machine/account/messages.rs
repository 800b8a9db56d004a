//! Messages: sending and receiving as assignments between variables and the slots of channels.

use model::{Binary, Context, Effect, Expr, Pattern, Place, Scalar};

use super::super::view::View;
use super::process_frame::{Held, ProcessFrame, matched};
use super::{AccountWriter, Made, any_of, part, place_in, truth};
use crate::resolve::{self, ExprKind, Type};

/// How a message is sent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sending {
    /// Whether it goes to a rendezvous.
    pub(super) meets: bool,
    pub(super) sorted: bool,
}

/// How a message is received.
#[derive(Clone, Copy, Debug)]
pub(super) struct Receiving {
    /// Whether it comes from a rendezvous.
    pub(super) meets: bool,
    pub(super) random: bool,
    pub(super) keep: bool,
}

impl AccountWriter<'_> {
    pub(super) fn send(
        &mut self,
        statement: u32,
        how: Sending,
        channel: &resolve::Place,
        values: &[resolve::Expr],
        view: &View<'_>,
        context: Context<'_>,
    ) -> Option<()> {
        let Sending { meets, sorted } = how;
        let mut here = ProcessFrame::new(self, view, context);
        let sent: Option<Vec<Expr>> = values.iter().map(|value| here.expr(value)).collect();
        let (mut sent, held) = (sent?, here.channel(channel)?);
        sent.resize(held.kind.fields.len(), Expr::Constant(0));
        let made = |field: usize| {
            let value = values.get(field);
            let words = value.map_or_else(|| "0".to_owned(), |value| self.words(value.span));
            let what = format!("the `{words}` that is sent");
            Made { what, ty: value.and_then(kind_of), negated: false }
        };
        let made: Vec<Made> = (0..sent.len()).map(made).collect();
        let assumed = here.assumed;
        let targets: Vec<Place> = (0..sent.len())
            .map(|field| match (meets, sorted) {
                (true, _) => part(field, held.kind.fields[field]),
                // What counts for the order is the message before it is cut.
                (false, true) => part(field, Scalar::I32),
                (false, false) => held.slot(held.length, field),
            })
            .collect();
        if !meets && held.length >= held.kind.capacity {
            return None;
        }
        let mut rest = if sorted && !meets { inserted(&held)? } else { Vec::new() };
        if !meets {
            rest.push(length(&held, held.length + 1));
        }
        let does = targets.into_iter().zip(sent).map(|(place, value)| Effect::Assign { place, value });
        self.note(statement, assumed, does.zip(made).collect());
        self.note_rest(rest);
        Some(())
    }

    pub(super) fn receive(
        &mut self,
        statement: u32,
        how: Receiving,
        channel: &resolve::Place,
        wanted: &[resolve::Pattern],
        view: &View<'_>,
        context: Context<'_>,
    ) -> Option<()> {
        let mut here = ProcessFrame::new(self, view, context);
        let held = here.channel(channel)?;
        let patterns: Option<Vec<Pattern>> = wanted.iter().map(|pattern| here.pattern(pattern)).collect();
        let (patterns, assumed) = (patterns?, here.assumed);
        if !how.meets && held.length == 0 {
            return None;
        }
        let fields = held.kind.fields.len();
        let value = |field: usize| match (how.meets, how.random) {
            (_, _) if field >= fields => Expr::Constant(0),
            (true, _) => Expr::Load(part(field, held.kind.fields[field])),
            (false, false) => held.field(0, field),
            (false, true) => taken(&held, field),
        };
        let mut does = Vec::new();
        if how.random && !how.meets {
            // Which messages fit is kept, because what is received may change what is looked for.
            for slot in 0..held.length {
                let fits = matched(&held, slot, &patterns);
                let fits = Expr::negation(Expr::negation(fits));
                does.push((Effect::Assign { place: truth(slot)?, value: fits }, Made::nothing()));
            }
            let any = any_of((0..held.length).filter_map(truth).map(Expr::Load));
            does.push((Effect::Guard(any), Made::condition("a message that fits".to_owned())));
        } else {
            for (field, (pattern, wanted)) in patterns.iter().zip(wanted).enumerate() {
                if let (Pattern::Match(expr), resolve::Pattern::Match(written)) = (pattern, wanted) {
                    let equal = Expr::binary(Binary::Equal, value(field), expr.clone());
                    does.push((Effect::Guard(equal), Made::condition(self.words(written.span))));
                }
            }
        }
        for (field, (pattern, wanted)) in patterns.into_iter().zip(wanted).enumerate() {
            if let (Pattern::Store(place), resolve::Pattern::Store(written)) = (pattern, wanted) {
                let made = Made::value(self.words(written.span), Some(written.ty));
                does.push((Effect::Assign { place, value: value(field) }, made));
            }
        }
        let rest = if how.meets || how.keep { Vec::new() } else { removed(&held, how.random)? };
        self.note(statement, assumed, does);
        self.note_rest(rest);
        Some(())
    }
}

/// The type of what is sent, where it can be told.
fn kind_of(value: &resolve::Expr) -> Option<Type> {
    match &value.kind {
        ExprKind::MtypeConstant(kind, _) => Some(Type::Mtype(*kind)),
        ExprKind::Load(place) => Some(place.ty),
        _ => None,
    }
}

fn length(held: &Held<'_>, length: u32) -> (Place, Expr) {
    (place_in(held.frame, 0, Scalar::U8), Expr::Constant(i64::from(length)))
}

fn choose(condition: Expr, then: Expr, otherwise: Expr) -> Expr {
    Expr::Choose(Box::new(condition), Box::new(then), Box::new(otherwise))
}

/// Whether one of the first truths holds.
fn any_before(number: u32) -> Expr {
    any_of((0..number).filter_map(truth).map(Expr::Load))
}

/// A field of the first message that fits.
fn taken(held: &Held<'_>, field: usize) -> Expr {
    let last = held.length.saturating_sub(1);
    (0..last).rev().fold(held.field(last, field), |later, slot| match truth(slot) {
        Some(fits) => choose(Expr::Load(fits), held.field(slot, field), later),
        None => later,
    })
}

/// The message that was received is taken out, and those behind it move up.
fn removed(held: &Held<'_>, random: bool) -> Option<Vec<(Place, Expr)>> {
    let mut moves = Vec::new();
    let fields = held.kind.fields.len();
    let last = held.length.checked_sub(1)?;
    for slot in 0..last {
        for field in 0..fields {
            let next = held.field(slot + 1, field);
            let value =
                if random { choose(any_before(slot + 1), next, held.field(slot, field)) } else { next };
            moves.push((held.slot(slot, field), value));
        }
    }
    moves.extend((0..fields).map(|field| (held.slot(last, field), Expr::Constant(0))));
    moves.push(length(held, last));
    Some(moves)
}

/// A message that was sent in order is put before the first one that is greater.
fn inserted(held: &Held<'_>) -> Option<Vec<(Place, Expr)>> {
    let fields = held.kind.fields.len();
    let sent = |field: usize| Expr::Load(part(field, Scalar::I32));
    let mut moves = Vec::new();
    for slot in 0..held.length {
        let greater = (0..fields).rev().fold(Expr::Constant(0), |later, field| {
            let compare = |operator| Expr::binary(operator, held.field(slot, field), sent(field));
            choose(
                compare(Binary::Greater),
                Expr::Constant(1),
                choose(compare(Binary::Equal), later, Expr::Constant(0)),
            )
        });
        moves.push((truth(slot)?, greater));
    }
    for slot in (0..=held.length).rev() {
        for field in 0..fields {
            let here = match truth(slot).filter(|_| slot < held.length) {
                Some(greater) => choose(Expr::Load(greater), sent(field), held.field(slot, field)),
                None => sent(field),
            };
            let value = match slot.checked_sub(1) {
                Some(before) => choose(any_before(slot), held.field(before, field), here),
                None => here,
            };
            moves.push((held.slot(slot, field), value));
        }
    }
    Some(moves)
}
