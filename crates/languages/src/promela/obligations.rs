//! Which property of endless traces `-p` means, and what it reads of the states of a model.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Result, anyhow};
use findings::{EndlessProperty, ViolationKind};
use graph::{BitSet, PULSE, Progress, StateGraph, System, Watch, Worker};
use liveness::{Reading, accepts};
use pipeline::endless::Obligation;
use preprocess::{Files, SourceMap, Unread};
use promela::machine::{Machine, Observed, abstracted};
use promela::{Model, Reading as ModelReading};
use property::buchi::{Automaton, Limits, translate};
use property::ltl::{Formula, Unary};
use search::Store;
use source::{Diagnostic, Message, Span};

use super::lassos::Lasso;
use crate::messages::Unreadable;

/// The automata of the traces that violate a property and, where it is known, of those that meet it, and the
/// formula, where it is one.
type Automata = (Automaton, Option<Automaton>, Option<Formula<u32>>);

/// A property of endless traces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Endless {
    /// The `ltl` block with this number.
    Formula(usize),
    /// The never claim that is the process with this number.
    Claim(usize),
    NonProgress,
    /// Labels that begin with `accept`.
    Acceptance,
}

impl Endless {
    /// The property that one of the fixed words or a name means in a model.
    pub(crate) fn named(model: &Model, name: &str) -> Option<Self> {
        let mut claims = Machine::claims(&model.program);
        match name {
            "np" | "non-progress" => return Some(Self::NonProgress),
            "acceptance" => return Some(claims.next().map_or(Self::Acceptance, Self::Claim)),
            _ => {}
        }
        let formula = model.program.formulas.iter().position(|property| property.name == name);
        let claim = claims.find(|process| model.program.processes[*process].name == name);
        formula.map(Self::Formula).or(claim.map(Self::Claim))
    }

    /// What the report calls it.
    pub(crate) fn told(self, model: &Model, given: &str) -> findings::Property {
        let (kind, text) = match self {
            Self::Formula(number) => (ViolationKind::Ltl, written(model, number)),
            Self::Claim(process) => {
                (ViolationKind::Acceptance, format!("never claim {}", model.program.processes[process].name))
            }
            Self::NonProgress => (ViolationKind::NonProgress, "no cycle without progress".to_owned()),
            Self::Acceptance => (ViolationKind::Acceptance, "no acceptance cycle".to_owned()),
        };
        // A formula from the command line has no other name.
        let text = match self {
            Self::Formula(_) if text.is_empty() => one_line(given),
            Self::Formula(_) => format!("{given} {{ {text} }}"),
            _ => text,
        };
        findings::Property { kind, text, spelling: None }
    }

    fn observed(self) -> Observed {
        match self {
            Self::Formula(number) => Observed::Formula(number),
            Self::Claim(process) => Observed::Claim(process),
            Self::NonProgress => Observed::NonProgress,
            Self::Acceptance => Observed::Nothing,
        }
    }

    fn automata(self, model: &Model) -> Result<Automata> {
        Ok(match self {
            Self::Formula(number) => {
                let formula = model.machine.formula(number).ok_or_else(|| anyhow!("no such formula"))?;
                let violations = automaton(formula.clone().negated())?;
                // That of the formula itself is only wanted to explain, and may be too large where the other is small.
                (violations, automaton(formula.clone()).ok(), Some(formula.clone()))
            }
            Self::Claim(process) => {
                let claim = model.machine.claim(process).map_err(|error| located(model, &error))?;
                let passing = claim.complement(Limits::default());
                (claim, passing, None)
            }
            Self::NonProgress => {
                let stalls = Formula::unary(Unary::Always, Formula::atom(0));
                let stalls = Formula::unary(Unary::Eventually, stalls);
                let moves = stalls.clone().negated();
                (automaton(stalls)?, Some(automaton(moves.clone())?), Some(moves))
            }
            // One state that reads everything; the labels do the rest.
            Self::Acceptance => {
                let leaves = Formula::unary(Unary::Always, Formula::atom(0).negated());
                let leaves = Formula::unary(Unary::Eventually, leaves);
                (reads_everything()?, Some(automaton(leaves)?), None)
            }
        })
    }

    /// The cycle that it forbids, where labels in the text say so.
    fn forbids(self) -> Option<EndlessProperty> {
        match self {
            Self::Acceptance => Some(EndlessProperty::NoAcceptanceCycle),
            Self::NonProgress => Some(EndlessProperty::NoNonProgressCycle),
            Self::Formula(_) | Self::Claim(_) => None,
        }
    }

    /// What it is, where `text` is what the report calls it.
    pub(crate) fn property(self, text: &str) -> EndlessProperty {
        self.forbids().unwrap_or_else(|| EndlessProperty::Stated(text.to_owned()))
    }

    /// What the report calls a violation.
    pub(crate) fn kind(self) -> ViolationKind {
        match self {
            Self::Formula(_) => ViolationKind::Ltl,
            Self::Claim(_) | Self::Acceptance => ViolationKind::Acceptance,
            Self::NonProgress => ViolationKind::NonProgress,
        }
    }

    /// Whether a trace violates it, fairness aside.
    pub(crate) fn is_violated_by(self, model: &Model, trace: &Lasso, watch: &dyn Watch) -> Result<bool> {
        let (violations, ..) = self.automata(model)?;
        let states = &trace.trace.states;
        let reading = self.reading(model, states.len(), |at| &states[at as usize], false, watch)?;
        let worker = model.worker();
        let uninterrupted: Vec<bool> = states.iter().map(|state| worker.is_passing(state)).collect();
        Ok(accepts(&violations, &reading, &uninterrupted, trace.ending)?)
    }

    /// The atoms, as their author wrote them.
    pub(crate) fn atoms(self, model: &Model) -> Vec<String> {
        match self {
            Self::Formula(number) => {
                let property = &model.program.formulas[number];
                let (_, atoms) = abstracted(&model.program, &property.formula);
                let told = atoms.iter().map(|atom| {
                    let written = one_line(model.source(atom.span));
                    let meant = model.program.expression_text(atom);
                    // A negation in front of an atom is not in its span.
                    if negations(&written) == negations(&meant) { written } else { meant }
                });
                told.collect()
            }
            Self::NonProgress => vec!["np_".to_owned()],
            Self::Claim(_) | Self::Acceptance => Vec::new(),
        }
    }

    /// The automata, and what they read of the states that were found.
    pub(crate) fn obligation(
        self,
        model: &Model,
        store: &Store,
        graph: &StateGraph,
        fair: bool,
        watch: &dyn Watch,
    ) -> Result<Obligation> {
        let (violations, fulfilments, formula) = self.automata(model)?;
        let reading = self.reading(model, store.len(), |state| store.get(state), fair, watch)?;
        let atoms = self.atoms(model);
        let worker = model.worker();
        let sees_marks = match self {
            Self::Claim(_) => reading.marked.iter().next().is_none(),
            // What is marked where nobody looks cannot be read.
            Self::Acceptance => !reading.marked.iter().any(|state| worker.is_passing(store.get(state))),
            Self::Formula(_) | Self::NonProgress => true,
        };
        let fulfilments = fulfilments.filter(|_| sees_marks);
        let fulfilments = fulfilments.map(|automaton| (automaton, self.fulfilling(&reading, graph)));
        let forbids = self.forbids();
        Ok(Obligation { kind: self.kind(), forbids, violations, reading, fulfilments, formula, atoms })
    }

    /// The formula of a block over its smallest conditions, made harder to meet in each of them, where there are not too
    /// many.
    pub(crate) fn stronger(model: &Model, number: usize) -> Option<Vec<(usize, Formula<u32>)>> {
        const MOST_PARTS: usize = 16;
        let formula = model.machine.fine_formula(number)?;
        (formula.atoms().count() <= MOST_PARTS).then(|| formula.strengthened())
    }

    /// The automaton of the traces that violate such a formula, and what it reads of the states that were found.
    pub(crate) fn obligation_of_parts(
        model: &Model,
        number: usize,
        formula: &Formula<u32>,
        store: &Store,
        watch: &dyn Watch,
    ) -> Result<Obligation> {
        let violations = automaton(formula.clone().negated())?;
        let observed = Observed::Parts(number);
        let own = Self::Formula(number);
        let reading = own.observe(observed, model, store.len(), |state| store.get(state), false, watch)?;
        let (fulfilments, formula, atoms) = (None, None, Vec::new());
        let forbids = None;
        Ok(Obligation { kind: own.kind(), forbids, violations, reading, fulfilments, formula, atoms })
    }

    /// What the automaton of the traces that pass reads.
    fn fulfilling(self, reading: &Reading, graph: &StateGraph) -> Reading {
        let mut fulfilling = reading.clone();
        if self == Self::Acceptance {
            let marks = 0..reading.letters.len() as u32;
            fulfilling.letters = marks.map(|state| u64::from(reading.marked.contains(state))).collect();
            fulfilling.marked = BitSet::new(reading.letters.len());
        }
        if self == Self::NonProgress {
            // Who has ended owes no progress.
            for (state, letter) in (0..).zip(&mut fulfilling.letters) {
                if graph.edges(state).is_empty() {
                    *letter = 0;
                }
            }
            fulfilling.repeats_last = true;
        }
        fulfilling
    }

    fn reading<'s>(
        self,
        model: &Model,
        count: usize,
        bytes_of: impl Fn(u32) -> &'s [u8],
        fair: bool,
        watch: &dyn Watch,
    ) -> Result<Reading> {
        self.observe(self.observed(), model, count, bytes_of, fair, watch)
    }

    fn observe<'s>(
        self,
        observed: Observed,
        model: &Model,
        count: usize,
        bytes_of: impl Fn(u32) -> &'s [u8],
        fair: bool,
        watch: &dyn Watch,
    ) -> Result<Reading> {
        let observer = model.machine.observer(observed);
        let mut observer = observer.map_err(|error| located(model, &error))?;
        let marks = matches!(self, Self::Claim(_) | Self::Acceptance);
        let worker = model.worker();
        let states = count as u32;
        let mut letters = Vec::with_capacity(count);
        let mut marked = BitSet::new(count);
        for state in 0..states {
            if u64::from(state) % PULSE == 0 {
                let done = u64::from(state) * 1000 / u64::from(states);
                let permille = Some(done as u16);
                watch.pulse(Progress {
                    phase: "reading",
                    states: state.into(),
                    permille,
                    ..Progress::default()
                })?;
            }
            let bytes = bytes_of(state);
            let is_passing = worker.is_passing(bytes);
            // Where nothing interrupts nobody looks.
            let letter = if is_passing { Ok(0) } else { observer.letter(bytes) };
            letters.push(letter.map_err(|fault| anyhow!("the property cannot be evaluated: {fault}"))?);
            // SPIN looks for labels inside atomic sequences only without fairness.
            if marks && !(fair && is_passing) && observer.is_at_accept_label(bytes) {
                marked.insert(state);
            }
        }
        // A process that has ended makes no progress and owes none.
        Ok(Reading { letters, marked, repeats_last: self != Self::NonProgress })
    }
}

/// The automaton of a formula.
fn automaton(formula: Formula<u32>) -> Result<Automaton> {
    let translation = translate(&formula, Limits::default())?;
    // Guards speak of the atoms in the order in which the translation met them.
    Ok(renumbered(&translation.automaton, &translation.atoms))
}

/// An automaton with one state that accepts only where the system does.
fn reads_everything() -> Result<Automaton> {
    let edge = property::buchi::Edge { from: 0, to: 0, guard: property::buchi::Guard::TRUE };
    Automaton::new(0, vec![false], vec![edge]).ok_or_else(|| anyhow!("no automaton"))
}

/// The same automaton over atoms of other numbers.
fn renumbered(automaton: &Automaton, atoms: &[u32]) -> Automaton {
    let renumber = |bits: u64| {
        let numbers = atoms.iter().enumerate().filter(|(at, _)| bits >> at & 1 != 0);
        numbers.fold(0, |set, (_, atom)| set | 1 << atom)
    };
    let edges = automaton.edges().iter().map(|edge| {
        let guard = property::buchi::Guard {
            positive: renumber(edge.guard.positive),
            negative: renumber(edge.guard.negative),
        };
        property::buchi::Edge { guard, ..*edge }
    });
    let accepting = (0..automaton.states() as u32).map(|state| automaton.is_accepting(state)).collect();
    Automaton::new(automaton.initial(), accepting, edges.collect()).unwrap_or_else(|| automaton.clone())
}

fn located(model: &Model, error: &promela::machine::UnreadableClaim) -> anyhow::Error {
    match model.location(error.span) {
        Some(at) => anyhow!("{}:{}:{}: {error}", at.file, at.line, at.column),
        None => anyhow!("{error}"),
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn negations(text: &str) -> usize {
    text.matches('!').count() - text.matches("!=").count()
}

/// A formula as its author wrote it.
fn written(model: &Model, number: usize) -> String {
    let block = one_line(model.source(model.program.formulas[number].span));
    if block.contains(FORMULA_FILE) {
        return String::new();
    }
    let inside = block.split_once('{').map(|(_, inside)| inside.trim_end().trim_end_matches('}').trim());
    inside.unwrap_or(&block).to_owned()
}

/// The name of the file that a formula from the command line seems to stand in.
const FORMULA_FILE: &str = "--property";

/// The name of the file that the formula with a number seems to stand in.
fn formula_file(number: usize) -> PathBuf {
    match number {
        0 => PathBuf::from(FORMULA_FILE),
        _ => PathBuf::from(format!("{FORMULA_FILE} {}", number + 1)),
    }
}

/// The disk, and formulas.
struct WithFormulas<'a> {
    disk: &'a dyn Files,
    formulas: &'a [&'a str],
}

impl Files for WithFormulas<'_> {
    fn read(&self, path: &Path) -> Result<Arc<str>, Unread> {
        let own = (0..self.formulas.len()).find(|number| path == formula_file(*number));
        own.map_or_else(|| self.disk.read(path), |number| Ok(self.formulas[number].into()))
    }
}

/// Reads a model, which has no errors, with more `ltl` blocks, so that their formulas mean what they would mean there.
/// They are the last of the model.
pub(crate) fn with_formulas(
    model: &Model,
    formulas: &[&str],
    disk: &dyn Files,
    path: &Path,
    text: &str,
    mut options: preprocess::Options,
) -> Result<Model> {
    let own = model.program.formulas.len();
    let blocks = (0..formulas.len()).map(|number| {
        let file = formula_file(number);
        format!("\nltl command_line_{} {{\n#include \"{}\"\n}}\n", own + number, file.display())
    });
    let text = format!("{text}{}", blocks.collect::<String>());
    options.include_folders.push(PathBuf::new());
    let files = WithFormulas { disk, formulas };
    let ModelReading { model: read, messages } = Model::read(&files, path, text, &options);
    let has_formulas = |read: &Model| {
        read.program.formulas.len() == own + formulas.len()
            && read.program.processes.len() == model.program.processes.len()
    };
    let (map, mut errors): (_, Vec<&promela::Message>) = match &read {
        Ok(model) => (&model.map, Vec::new()),
        Err(map) => (map, Vec::new()),
    };
    errors.extend(messages.iter().filter(|message| message.is_error()));
    if let Ok(model) = &read {
        let new = model.problems.iter().filter(|(number, _)| *number >= own);
        errors.extend(new.map(|(_, message)| message));
    }
    let whole = match &read {
        Ok(read) => has_formulas(read) && errors.is_empty(),
        Err(_) => false,
    };
    if !whole {
        return Err(no_formula(formulas, map, &errors));
    }
    read.map_err(|_| anyhow!("the model cannot be read with the formula"))
}

/// Why formulas are none of a model.
fn no_formula(formulas: &[&str], map: &SourceMap, errors: &[&promela::Message]) -> anyhow::Error {
    let mut messages = Vec::new();
    for (number, formula) in formulas.iter().enumerate() {
        let file = formula_file(number);
        let about = errors.iter().filter(|message| map.path(message.file) == file);
        let told = about.map(|message| message.diagnostic.clone());
        messages.extend(told.map(|one| Message::new(one, file.display().to_string(), *formula)));
    }
    if let (true, Some(behind), Some(formula)) = (messages.is_empty(), errors.first(), formulas.first()) {
        // What is missing at its end is found missing behind it.
        let end = Span::at(formula.trim_end().len());
        // The brace that is met there is ours.
        let why = behind.diagnostic.message.replace(", found `}`", " at its end");
        let text = format!("the formula is not complete: {why}");
        messages.push(Message::new(Diagnostic::error(end, text), FORMULA_FILE, *formula));
    }
    if messages.is_empty() {
        return anyhow!(
            "`{}` is not a formula; a model can be checked for deadlock, assertion, fault, np, acceptance, \
             an `ltl` block by its name, or a formula of linear temporal logic",
            formulas.first().copied().unwrap_or_default()
        );
    }
    Unreadable { messages, summary: Some(format!("{FORMULA_FILE}: not a formula of this model")) }.into()
}
