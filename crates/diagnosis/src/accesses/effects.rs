//! What effects read and write: the slice of a trace, and what is wrong because something else is.

use std::collections::BTreeSet;

use model::{Base, Effect, Expr, Place, TraceStep};

/// A stretch of a frame.
type Stretch = (i64, u32, u32);

struct Access {
    statement: u32,
    reads: Vec<Stretch>,
    writes: Option<Stretch>,
    /// Whether what it writes is all that is there afterwards.
    overwrites: bool,
    /// Whether the trace depends on it even if nobody reads what it writes.
    demands: bool,
}

/// A trace, as what its effects read and write.
pub(super) struct Dependence {
    accesses: Vec<Access>,
}

impl Dependence {
    pub(super) fn new(steps: &[TraceStep]) -> Self {
        let accesses = steps.iter().flat_map(|step| step.effects.iter().map(|effect| access(step, effect)));
        Self { accesses: accesses.collect() }
    }

    /// The statements that guards and constraints can depend on.
    pub(super) fn slice(&self) -> BTreeSet<u32> {
        let mut wanted: BTreeSet<Stretch> = BTreeSet::new();
        let mut slice = BTreeSet::new();
        for access in self.accesses.iter().rev() {
            let write = access.writes.filter(|write| wanted.iter().any(|one| meet(*one, *write)));
            if !access.demands && write.is_none() {
                continue;
            }
            slice.insert(access.statement);
            if let (true, Some(write)) = (access.overwrites, write) {
                wanted.retain(|one| !covers(write, *one));
            }
            wanted.extend(&access.reads);
        }
        slice
    }

    /// The statements that use what these make, at first or second hand.
    pub(super) fn transitive(&self, statements: &[u32]) -> BTreeSet<u32> {
        let mut wrong: BTreeSet<Stretch> = BTreeSet::new();
        let mut told = BTreeSet::new();
        for Access { statement, reads, writes, overwrites, .. } in &self.accesses {
            let is_one = statements.binary_search(statement).is_ok();
            let Some(write) = *writes else { continue };
            if is_one || reads.iter().any(|read| wrong.iter().any(|one| meet(*one, *read))) {
                if !is_one {
                    told.insert(*statement);
                }
                wrong.insert(write);
            } else if *overwrites {
                wrong.retain(|one| !covers(write, *one));
            }
        }
        told
    }
}

fn meet(one: Stretch, other: Stretch) -> bool {
    one.0 == other.0 && one.1 < other.2 && other.1 < one.2
}

fn covers(whole: Stretch, part: Stretch) -> bool {
    whole.0 == part.0 && whole.1 <= part.1 && part.2 <= whole.2
}

fn access(step: &TraceStep, effect: &Effect) -> Access {
    let mut access = Access {
        statement: step.statement,
        reads: Vec::new(),
        writes: None,
        overwrites: false,
        demands: true,
    };
    match effect {
        Effect::Guard(expr) | Effect::Assume(expr) | Effect::Check(expr) => {
            read(expr, &mut access.reads);
        }
        Effect::Assign { place, value } => {
            read(value, &mut access.reads);
            access.writes = Some(stretch(place, &mut access.reads));
            access.overwrites = place.indices.is_empty();
            access.demands = !access.overwrites;
        }
        Effect::Input { place, .. } => {
            access.writes = Some(stretch(place, &mut access.reads));
            access.overwrites = place.indices.is_empty();
        }
    }
    access
}

fn read(expr: &Expr, reads: &mut Vec<Stretch>) {
    match expr {
        Expr::Constant(_) => {}
        Expr::Load(place) => {
            let stretch = stretch(place, reads);
            reads.push(stretch);
        }
        Expr::Unary(_, inner) | Expr::Wrap(_, inner) | Expr::Deref(_, inner) => read(inner, reads),
        Expr::Binary(_, one, other) | Expr::AndAlso(one, other) | Expr::OrElse(one, other) => {
            read(one, reads);
            read(other, reads);
        }
        Expr::Choose(condition, then, otherwise) => {
            [condition, then, otherwise].into_iter().for_each(|part| read(part, reads));
        }
        Expr::Ask(_, parts) | Expr::Apply(_, parts) => parts.iter().for_each(|part| read(part, reads)),
    }
}

/// Where a place may lie; its indices are read.
fn stretch(place: &Place, reads: &mut Vec<Stretch>) -> Stretch {
    let mut end = place.offset.saturating_add(place.scalar.bytes());
    for index in &place.indices {
        read(&index.value, reads);
        end = end.saturating_add(index.stride.saturating_mul(index.length.saturating_sub(1)));
    }
    let frame = match &place.base {
        Base::Global => 0,
        Base::Of(frame) => match **frame {
            Expr::Constant(number) => number,
            _ => -1,
        },
        Base::Local => -1,
    };
    (frame, place.offset, end)
}
