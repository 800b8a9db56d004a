//! A change that may be worth trying, and what kind of change it is.

use findings::TextChange;
use model::mistakes::Mistake;
use source::Span;

use crate::outline::Outline;
use crate::patch::{Edit, Patch};

/// What a change does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operator {
    Comparison,
    Connective,
    Arithmetic,
    /// A constant that is one more or one less.
    Constant,
    /// Another constant of the program.
    OtherConstant,
    Variable,
    /// A condition turned round.
    Negation,
    /// A part of a condition left out or added.
    Condition,
    Dropped,
    /// What gives memory or a lock back, or waits for somebody, left out.
    Withheld,
    Swapped,
    Inserted,
    /// A statement put under a condition.
    Guarded,
    /// A minus put before something, or taken from it.
    Sign,
    /// A value that is one more or one less.
    OffByOne,
    /// A term of a sum left out or added.
    Term,
    /// Arguments of a call in another order.
    Arguments,
    /// Another function of the same type.
    Function,
    /// A statement put to the other side of a branch or loop, or out of it.
    Moved,
    /// A statement of the program once more, with other variables or the same.
    Again,
    /// A statement that the text itself shows to be missing.
    Forgotten,
    /// A variable that is changed and never reset gets its first value again.
    Reset,
    /// What was asked for.
    Suggested,
    /// A sequence that others can come into now.
    Unprotected,
    LostMessage,
    WrongChannel,
    /// A sequence that nobody can come into any more.
    Protected,
    Widened,
    /// A condition that is asked again after waiting.
    Rechecked,
}

impl Operator {
    /// Whether something is there afterwards that was not there before, and everything else is as it was.
    pub fn adds(self) -> bool {
        matches!(self, Self::Inserted | Self::Again | Self::Forgotten | Self::Reset)
    }

    /// Whether a statement may be gone from where it stood.
    pub fn removes(self) -> bool {
        matches!(
            self,
            Self::Dropped
                | Self::Withheld
                | Self::Moved
                | Self::Swapped
                | Self::Suggested
                | Self::LostMessage
        )
    }

    /// Whether a condition comes before a statement, which is executed as well if the condition is ever true.
    pub fn guards(self) -> bool {
        self == Self::Guarded
    }

    /// Whether it only keeps others out, so that nothing is done that was not done before.
    pub fn protects(self) -> bool {
        matches!(self, Self::Protected | Self::Widened)
    }

    /// The mistake that it makes or takes back. Nothing where it is more than a change of one statement.
    pub fn mistake(self) -> Option<Mistake> {
        match self {
            Self::Comparison | Self::Connective | Self::Arithmetic | Self::Sign => Some(Mistake::Operator),
            Self::Constant => Some(Mistake::NearConstant),
            Self::OtherConstant => Some(Mistake::Constant),
            Self::Variable | Self::WrongChannel => Some(Mistake::Variable),
            Self::Negation => Some(Mistake::Negation),
            Self::Condition => Some(Mistake::Guard),
            Self::Dropped | Self::Withheld | Self::LostMessage => Some(Mistake::Removal),
            Self::Inserted | Self::Again | Self::Forgotten | Self::Reset => Some(Mistake::Insertion),
            Self::OffByOne => Some(Mistake::Step),
            Self::Term => Some(Mistake::Term),
            Self::Arguments => Some(Mistake::Operand),
            Self::Swapped
            | Self::Guarded
            | Self::Function
            | Self::Moved
            | Self::Suggested
            | Self::Unprotected
            | Self::Protected
            | Self::Widened
            | Self::Rechecked => None,
        }
    }

    /// A word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Comparison => "comparison",
            Self::Connective => "connective",
            Self::Arithmetic => "arithmetic",
            Self::Constant => "constant",
            Self::OtherConstant => "other-constant",
            Self::Variable => "variable",
            Self::Negation => "negation",
            Self::Condition => "condition",
            Self::Dropped => "dropped",
            Self::Withheld => "withheld",
            Self::Swapped => "swapped",
            Self::Inserted => "inserted",
            Self::Guarded => "guarded",
            Self::Sign => "sign",
            Self::OffByOne => "off-by-one",
            Self::Term => "term",
            Self::Arguments => "arguments",
            Self::Function => "function",
            Self::Moved => "moved",
            Self::Again => "again",
            Self::Forgotten => "forgotten",
            Self::Reset => "reset",
            Self::Suggested => "suggested",
            Self::Unprotected => "unprotected",
            Self::LostMessage => "lost-message",
            Self::WrongChannel => "wrong-channel",
            Self::Protected => "protected",
            Self::Widened => "widened",
            Self::Rechecked => "rechecked",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    pub patch: Patch,
    pub operator: Operator,
    /// The first line it changes, counted from 1.
    pub line: u64,
    /// Where it shows, from one line to another: what is changed or, where something is left out, what comes before
    /// and after it.
    pub region: (u64, u64),
    /// How unlikely the change is, compared with others of the same text.
    pub cost: usize,
    /// What stands where with it.
    pub change: TextChange,
}

/// Candidates of one text as they are made.
#[derive(Debug)]
pub(crate) struct CandidateList<'o, 'a> {
    pub(crate) outline: &'o Outline<'a>,
    pub(crate) candidates: Vec<Candidate>,
    most: usize,
}

impl<'o, 'a> CandidateList<'o, 'a> {
    pub(crate) fn new(outline: &'o Outline<'a>, most: usize) -> Self {
        Self { outline, candidates: Vec::new(), most }
    }

    pub(crate) fn is_full(&self) -> bool {
        self.candidates.len() >= self.most
    }

    /// Adds a change at a line, if it is one and there is room.
    pub(crate) fn add(
        &mut self,
        operator: Operator,
        line: u64,
        edits: Vec<(Span, String)>,
        change: TextChange,
    ) {
        self.add_in(operator, (line, line), line, edits, change);
    }

    /// The same for a change that shows in several lines.
    pub(crate) fn add_in(
        &mut self,
        operator: Operator,
        region: (u64, u64),
        line: u64,
        edits: Vec<(Span, String)>,
        change: TextChange,
    ) {
        if self.is_full() {
            return;
        }
        let edits = edits.into_iter().map(|(span, text)| Edit { span, text }).collect();
        if let Some(patch) = Patch::new(self.outline.text, edits) {
            self.candidates.push(Candidate { patch, operator, line, region, cost: 0, change });
        }
    }

    /// Replaces one piece by another, and says so.
    pub(crate) fn replace(&mut self, operator: Operator, line: u64, span: Span, new: impl Into<String>) {
        let new = new.into();
        let change = TextChange::Instead { new: one_line(&new), old: one_line(span.text(self.outline.text)) };
        self.add(operator, line, vec![(span, new)], change);
    }
}

/// A text in one line.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// As many newlines as a text has, to put in its place.
pub(crate) fn blank(text: &str) -> String {
    text.chars().filter(|c| *c == '\n').collect()
}

/// What a kind of change makes of a text, in words.
#[cfg(test)]
pub(crate) fn told(
    text: &str,
    language: crate::Language,
    make: impl Fn(&mut CandidateList<'_, '_>),
) -> Vec<String> {
    let outline = Outline::new(text, language);
    let mut found = CandidateList::new(&outline, 1_000);
    make(&mut found);
    found.candidates.into_iter().map(|candidate| report::tell::change(&candidate.change)).collect()
}
