//! Small changes of statements, and how far-fetched they are.

use findings::{SmallChange, TextChange};
use model::mistakes::Mistake;

/// How much more far-fetched it is not to meet the assertion any more.
const AVOIDANCE: u32 = 3;
/// How much more far-fetched it is to change two statements.
const TWO: u32 = 1;
/// A small change with which no run fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Change {
    pub(crate) kind: Mistake,
    /// The other one, where it takes changes of two statements.
    pub(crate) also: Option<Mistake>,
    /// Whether a run does not come to the assertion any more, nor to another one, or ends before it takes all inputs, which
    /// may be right and may be cheating; or the statement only chooses what is checked.
    pub(crate) avoids: bool,
}

impl Change {
    /// How far-fetched it is, compared with others.
    pub(crate) fn distance(self) -> u32 {
        let also = self.also.map_or(0, |also| TWO + also.distance());
        self.kind.distance() + also + if self.avoids { AVOIDANCE } else { 0 }
    }

    /// Whether statements only make other values or go other ways, in the places where they do so now.
    pub(crate) fn is_of_values(self) -> bool {
        let is_of_values = |kind| !matches!(kind, Mistake::Target | Mistake::Removal | Mistake::Insertion);
        is_of_values(self.kind) && self.also.is_none_or(is_of_values)
    }

    /// The change as it is told, with what stands there instead where that is known.
    pub(crate) fn told(self, instead: Option<TextChange>) -> SmallChange {
        SmallChange { mistake: self.kind, also: self.also, instead }
    }
}
