//! Faults that people make, planted into a text that is right: one change a candidate.
//!
//! These are the usual operators of mutation testing, and those that concurrent programs suffer from: a sequence that
//! is no longer atomic, a message that is not sent or sent elsewhere.

use crate::candidate::{Candidate, CandidateList};
use crate::outline::Outline;
use crate::{Language, concurrency, expressions, statements};

/// How many candidates are made of one text, and how long a text may be.
const MOST: usize = 20_000;
pub(crate) const LONGEST_TEXT: usize = 1 << 20;

/// All mutations of a text, in the order of its lines.
pub fn mutations(text: &str, language: Language) -> Vec<Candidate> {
    if text.len() > LONGEST_TEXT {
        return Vec::new();
    }
    let outline = Outline::new(text, language);
    let mut found = CandidateList::new(&outline, MOST);
    // What a model is configured with is no fault.
    let code = |token: &crate::token::Token| {
        outline.tokens.code.binary_search_by_key(&token.span, |code| code.span).is_ok()
    };
    expressions::signs_and_constants(&mut found, &code, 2);
    expressions::names(&mut found, &code, 2);
    expressions::turned_conditions(&mut found, &code);
    statements::dropped(&mut found, &code);
    statements::swapped(&mut found, &code);
    concurrency::unprotected(&mut found, &code);
    let mut candidates = found.candidates;
    candidates.sort_by(|one, other| {
        (one.line, one.operator, &one.patch).cmp(&(other.line, other.operator, &other.patch))
    });
    candidates.dedup_by(|one, other| one.patch == other.patch);
    candidates
}
