//! Which steps of a model fit the entries of a trail.
//!
//! What an entry says of a step differs: a number in a `.trail`; in a listing the statement as SPIN prints it,
//! its line, and its number. Models change after a trail was made, so listings are read in three ways
//! ([`Reading`]), of which the first that leads to a violation counts.

use graph::Story;

use super::{Deed, Entry, Trail};
use crate::machine::{Event, Machine, Teller};
use crate::model::Model;
use crate::resolve::StmtKind;
use crate::story::Narrator;

/// What of a listing must agree with a step, besides its process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// The statement and its line.
    Text,
    /// The number of the statement.
    Number,
    /// The statement, wherever it stands now.
    TextAnywhere,
}

impl Reading {
    /// What else may be tried, the strictest first.
    pub const FURTHER: [Self; 2] = [Self::Number, Self::TextAnywhere];
}

/// What is known of a statement of the machine.
#[derive(Debug)]
struct Known {
    element: u32,
    /// The number within its process.
    state: u32,
    text: String,
    /// The first statement of a `d_step`, by which SPIN lists it.
    guard: Option<String>,
    line: Option<u64>,
    is_end: bool,
    /// Passes control on and does nothing else.
    is_hop: bool,
    /// It follows others without being able to block, so that SPIN may have merged it with them.
    may_be_merged: bool,
}

/// Leads through a model along a trail.
#[derive(Debug)]
pub struct Guide<'m> {
    narrator: &'m Narrator<'m>,
    trail: &'m Trail,
    statements: Vec<Known>,
    pub reading: Reading,
}

impl<'m> Guide<'m> {
    pub fn new(model: &'m Model, narrator: &'m Narrator<'m>, trail: &'m Trail) -> Self {
        let machine = &model.machine;
        let merged = machine.may_be_merged();
        let firsts = |name: &str| {
            let process = model.program.processes.iter().find(|process| process.name == name);
            process.map_or(0, |process| process.elements.0)
        };
        let known = |(number, statement): (usize, &crate::machine::Statement)| Known {
            element: statement.element,
            state: (statement.element + 1).saturating_sub(firsts(&statement.process)),
            text: plain(&statement.text).to_owned(),
            guard: narrator.teller().guard_text(number).map(|text| plain(text).to_owned()),
            line: model.location(statement.span).map(|location| location.line),
            is_end: statement.text == "-end-",
            is_hop: plain(&statement.text) == ".(goto)" || statement.text.starts_with("goto "),
            may_be_merged: merged[number],
        };
        let statements = machine.statements.iter().enumerate().map(known).collect();
        Self { narrator, trail, statements, reading: Reading::Text }
    }

    pub fn length(&self) -> usize {
        self.trail.entries.len()
    }

    /// Whether there are several ways to read the trail.
    pub fn is_ambiguous(&self) -> bool {
        self.trail.entries.iter().any(|entry| matches!(entry.deed, Deed::Listed(_)))
    }

    /// The entry that follows the first `at`.
    pub fn entry(&self, at: usize) -> Option<&'m Entry> {
        self.trail.entries.get(at)
    }

    /// How many entries an event stands for if it follows the first `at`; 0 if it may be one that SPIN merged
    /// with what comes before it.
    pub fn covers(&self, at: usize, event: u64) -> Option<usize> {
        let event = Event::unpack(event);
        let own = self.covered(at, event.process, event.statement);
        match (own, event.partner) {
            (None, None) => {
                let before = self.trail.entries.get(at.checked_sub(1)?)?;
                let known = &self.statements[event.statement as usize];
                let may_be_merged = self.trail.merged && known.may_be_merged;
                // Behind a merged statement SPIN does not list jumps.
                let is_unlisted = matches!(before.deed, Deed::Listed(_)) && known.is_hop;
                (before.process == event.process && (may_be_merged || is_unlisted)).then_some(0)
            }
            (Some(own), None) => Some(own),
            (Some(own), Some((process, statement))) => {
                self.covered(at + own, process, statement).map(|partner| own + partner)
            }
            (None, Some(_)) => None,
        }
    }

    /// How many entries from `at` on one statement stands for.
    fn covered(&self, at: usize, process: u8, statement: u32) -> Option<usize> {
        let entry = self.trail.entries.get(at).filter(|entry| entry.process == process)?;
        let known = &self.statements[statement as usize];
        match &entry.deed {
            Deed::Element(element) => (known.element == *element).then_some(1),
            Deed::End => known.is_end.then_some(1),
            Deed::Listed(listed) => {
                let text = plain(&listed.text);
                let is_listed = known.guard.as_deref().unwrap_or(&known.text) == text || known.text == text;
                let fits = match self.reading {
                    Reading::Text => is_listed && known.line.is_none_or(|line| line == listed.line),
                    Reading::Number => known.state == listed.state,
                    Reading::TextAnywhere => is_listed,
                };
                // All of a `d_step` is listed, but it is one step.
                let is_same = |other: &&Entry| other.depth == entry.depth && other.process == process;
                let rest = self.trail.entries[at..].iter().take_while(is_same).count();
                fits.then_some(if known.guard.is_some() { rest } else { 1 })
            }
        }
    }

    /// What the entry that follows the first `at` says, for people.
    pub fn wanted(&self, at: usize) -> String {
        let Some(entry) = self.trail.entries.get(at) else { return "the end".to_owned() };
        let process = entry.process;
        match &entry.deed {
            Deed::End => format!("process {process} ends"),
            Deed::Listed(listed) => format!("{}:{process} {}", listed.name.trim_matches(':'), listed.text),
            Deed::Element(element) => {
                match self.statements.iter().position(|known| known.element == *element) {
                    None => format!("process {process} executes statement {element}"),
                    Some(number) => self.narrator.name(process, number as u32),
                }
            }
        }
    }

    /// Why the entry that follows the first `at` is not possible in `state`.
    pub fn why_not(&self, state: &[u8], at: usize) -> Option<String> {
        let entry = self.trail.entries.get(at)?;
        if let Deed::Element(element) = entry.deed
            && !self.statements.iter().any(|known| known.element == element)
        {
            return Some(format!("the model has no statement {element}"));
        }
        let processes = self.narrator.teller().processes(state);
        let Some((name, number, next)) = processes.get(usize::from(entry.process)) else {
            return Some(format!("there is no process {} at that point", entry.process));
        };
        let name = name.trim_matches(':');
        if next.iter().any(|statement| self.covered(at, *number, *statement).is_some()) {
            let waiting =
                self.narrator.waiting(state).into_iter().find(|other| other.actor.number == *number);
            let reasons: Vec<String> =
                waiting.into_iter().flat_map(|waiting| waiting.needs).map(|need| need.reason).collect();
            return Some(match reasons.first().filter(|_| reasons.len() == 1) {
                Some(reason) => format!("{name}:{number} stands there, but cannot execute it: {reason}"),
                None => format!("{name}:{number} stands there, but cannot execute it"),
            });
        }
        let first = *next.first()?;
        let place =
            self.statements[first as usize].line.map_or(String::new(), |line| format!(" (line {line})"));
        Some(format!("{name}:{number} stands before `{}`{place}", self.narrator.text(first)))
    }
}

/// Jumps have several names: SPIN numbers the targets of `break`.
fn plain(text: &str) -> &str {
    let is_hop = matches!(text, ".(goto)" | "break") || text.starts_with("goto :b");
    // The verifier numbers the lines of d_steps.
    if is_hop {
        ".(goto)"
    } else if text.starts_with("D_STEP") {
        "D_STEP"
    } else {
        text
    }
}

impl Machine {
    /// The statements that SPIN may execute in one step with what comes before them: they have no alternative
    /// and cannot block.
    fn may_be_merged(&self) -> Vec<bool> {
        let mut may = vec![false; self.statements.len()];
        let locations = self.kinds.iter().flat_map(|kind| &kind.locations);
        for location in locations {
            if let [step] = &location.steps[..] {
                may[step.statement as usize] = step.act.cannot_block() && step.escape == 0;
            }
        }
        may
    }
}

impl Teller<'_> {
    /// The first statement of a `d_step`, as SPIN prints it.
    fn guard_text(&self, statement: usize) -> Option<&str> {
        match &self.origin(statement)?.kind {
            StmtKind::DStep(body) => body.first().map(|first| first.text.as_str()),
            _ => None,
        }
    }
}
