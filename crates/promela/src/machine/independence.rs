//! Where a process can go on without anybody noticing (partial-order reduction: Peled, "All from One, One for
//! All", 1993; Holzmann and Peled, "An Improvement in Formal Verification", 1994).
//!
//! If no other process can change what the steps of a process do, nor which of them can be taken, nor notice
//! them, a search need not look at the other processes until these steps are taken. That holds where all
//! steps of a process touch only its own variables, and globals that nobody writes. It also holds for
//! receiving from a channel that only this process receives from (`xr`) while there is a message in it, and
//! for sending to one that only this process sends to (`xs`) while there is room. What `xr` and `xs` promise
//! is not taken on trust: whoever stands before another use of such a channel breaks the promise, and then
//! the search must do without promises.
//!
//! In an `atomic` sequence all steps that follow must be of that kind as well. A channel may be used inside
//! only where there is no choice, because what a process finds there can depend on what others did before.
//!
//! Whether a step can be taken is noticed by others where they go on in another way if it cannot: at an
//! `else`, under an `unless`, and inside `atomic`, where a process that cannot go on gives control away. So
//! to use a channel there is as good as to ask what is in it; and if a rendezvous is offered in such a place,
//! even a step to where a process could receive is noticed.

use model::Code;

use super::flow::{Flow, FlowLocation, What};
use super::touches::{Toucher, Touches, Use, each_statement, same_place, written_globals};
use crate::resolve::{Place, Process, Program, Promise, Stmt, StmtKind};
use crate::syntax::ProcessKind;

/// Promises as bits, those of all kinds of processes together.
pub(crate) type Promises = u64;

/// A channel that a process uses where it stands.
#[derive(Debug)]
pub(crate) struct ChannelUse {
    pub(crate) channel: Code,
    /// Breaks the promise of another to be the only one who receives from it, or who sends to it.
    pub(crate) breaks_receive: bool,
    pub(crate) breaks_send: bool,
}

/// A channel that only one process receives from, or sends to.
#[derive(Debug)]
pub(crate) struct Promised {
    pub(crate) channel: Code,
    pub(crate) receives: bool,
    pub(crate) bit: Promises,
}

/// What is known of one location.
#[derive(Debug)]
pub(crate) struct Standing {
    /// If these promises are kept, nobody can interfere with the steps from here, as long as the channels
    /// among them are neither empty nor full; nothing if somebody can in any case.
    pub(crate) alone: Option<Promises>,
    pub(crate) uses: Vec<ChannelUse>,
}

/// What is known of a kind of process.
#[derive(Debug, Default)]
pub(crate) struct KindIndependence {
    pub(crate) locations: Vec<Standing>,
    pub(crate) promises: Vec<Promised>,
}

/// What is known of a model.
#[derive(Debug, Default)]
pub(crate) struct Independence {
    pub(crate) kinds: Vec<KindIndependence>,
    pub(crate) has_promises: bool,
    /// What is promised, by bit.
    pub(crate) words: Vec<String>,
}

fn runs(process: &Process) -> bool {
    matches!(process.kind, ProcessKind::Proctype | ProcessKind::DProctype | ProcessKind::Init)
}

impl Independence {
    /// `code` compiles the place of a channel. Nothing comes out if some process has a priority or a
    /// condition, if a trace assertion watches, or if processes look into each other.
    pub(crate) fn new<E>(
        program: &Program,
        flows: &[Flow<'_>],
        has_rendezvous: bool,
        mut code: impl FnMut(&Place) -> Result<Code, E>,
    ) -> Result<Option<Self>, E> {
        let toucher = Toucher { program, written: written_globals(program) };
        let watched = |process: &Process| {
            matches!(process.kind, ProcessKind::Trace | ProcessKind::NoTrace) || process.provided.is_some()
        };
        let spied = program.processes.iter().filter(|process| runs(process)).any(|process| {
            process.body.iter().any(|statement| toucher.statement(statement).spies)
                || process.locals.iter().any(|variable| toucher.initial(*variable).spies)
        });
        if spied || program.processes.iter().any(watched) {
            return Ok(None);
        }
        let noticed = has_rendezvous && flows.iter().any(|flow| offers_with_care(&flow.locations));
        let trusts = promises_can_be_seen(program, &toucher);
        let mut made = Self::default();
        let mut bits = (0..Promises::BITS).map(|bit| 1 << bit);
        for (process, flow) in program.processes.iter().zip(flows) {
            let mut kind = KindIndependence::default();
            if runs(process) {
                let own = process.promises.iter().filter(|_| trusts);
                let promises: Vec<(&Promise, Promises)> = own.zip(bits.by_ref()).collect();
                let judge = Judge { toucher: &toucher, promises: &promises, has_rendezvous, noticed };
                let careful = careful(&flow.locations);
                let alone = judge.alone(&flow.locations);
                for ((location, alone), careful) in flow.locations.iter().zip(alone).zip(careful) {
                    let mut uses = Vec::new();
                    for (channel, how) in judge.uses(location) {
                        uses.push(ChannelUse {
                            channel: code(channel)?,
                            breaks_receive: careful || how != Use::Send,
                            breaks_send: careful || how != Use::Receive,
                        });
                    }
                    kind.locations.push(Standing { alone, uses });
                }
                for (promise, bit) in promises {
                    let channel = code(&promise.channel)?;
                    kind.promises.push(Promised { channel, receives: promise.receives, bit });
                    let (word, name) = if promise.receives { ("xr", "receives") } else { ("xs", "sends") };
                    let variable = &program.variables[promise.channel.variable.0 as usize].name;
                    made.words.push(format!(
                        "`{word} {variable}` in `{}` is not true, another process {name} too",
                        process.name
                    ));
                }
                made.has_promises |= !kind.promises.is_empty();
            }
            made.kinds.push(kind);
        }
        Ok(Some(made))
    }
}

/// Where a process goes on in another way if a step cannot be taken.
fn careful(locations: &[FlowLocation<'_>]) -> Vec<bool> {
    let mut careful: Vec<bool> = locations
        .iter()
        .map(|location| {
            let mut statements = statements(location);
            location.steps.iter().any(|step| step.escape != 0)
                || statements.any(|statement| matches!(statement.kind, StmtKind::Else | StmtKind::DStep(_)))
        })
        .collect();
    for step in locations.iter().flat_map(|location| &location.steps).filter(|step| step.keeps_control) {
        if let Some(target) = step.target {
            careful[target as usize] = true;
        }
    }
    careful
}

/// Whether something is sent in such a place.
fn offers_with_care(locations: &[FlowLocation<'_>]) -> bool {
    let mut careful = locations.iter().zip(careful(locations)).filter(|(_, careful)| *careful);
    careful.any(|(location, _)| has(location, |statement| matches!(statement.kind, StmtKind::Send { .. })))
}

fn receives(location: &FlowLocation<'_>) -> bool {
    has(location, |statement| matches!(statement.kind, StmtKind::Receive { .. }))
}

/// Whether a statement from there, or one inside of it, is such a one.
fn has(location: &FlowLocation<'_>, is_such: impl Fn(&Stmt) -> bool) -> bool {
    let mut found = false;
    for statement in statements(location) {
        each_statement(std::slice::from_ref(statement), &mut |inner| found |= is_such(inner));
    }
    found
}

fn statements<'l, 'p>(location: &'l FlowLocation<'p>) -> impl Iterator<Item = &'p Stmt> + use<'l, 'p> {
    location.steps.iter().filter_map(|step| match step.what {
        What::Statement(statement) => Some(statement),
        What::Hop(_) | What::End => None,
    })
}

/// Whether it can be seen where processes stand which channels they use: not if a `d_step` picks one on its
/// way, nor if a process begins with a look into one.
fn promises_can_be_seen(program: &Program, toucher: &Toucher<'_>) -> bool {
    let mut fixed = true;
    for process in program.processes.iter().filter(|process| runs(process)) {
        each_statement(&process.body, &mut |statement| {
            if matches!(statement.kind, StmtKind::DStep(_)) {
                let channels = toucher.statement(statement).channels;
                fixed &= channels.iter().all(|(place, _)| toucher.is_fixed(place));
            }
        });
        fixed &= process.locals.iter().all(|variable| toucher.initial(*variable).channels.is_empty());
    }
    fixed
}

/// Judges the locations of one process.
struct Judge<'j, 'p> {
    toucher: &'j Toucher<'p>,
    promises: &'j [(&'p Promise, Promises)],
    has_rendezvous: bool,
    /// Whether somebody notices who could receive.
    noticed: bool,
}

impl<'p> Judge<'_, 'p> {
    fn uses(&self, location: &FlowLocation<'p>) -> Vec<(&'p Place, Use)> {
        statements(location).flat_map(|statement| self.toucher.statement(statement).channels).collect()
    }

    /// On which promises it depends that nobody can interfere, for each location.
    fn alone(&self, locations: &[FlowLocation<'p>]) -> Vec<Option<Promises>> {
        let of_steps = |location: &FlowLocation<'p>| {
            let steps = location.steps.iter().map(|step| {
                let target = step.target.map(|target| &locations[target as usize]);
                self.step(step.what).filter(|_| !self.noticed || !target.is_some_and(receives))
            });
            steps.reduce(|all, step| Some(all? | step?)).flatten()
        };
        let own: Vec<Option<Promises>> = locations.iter().map(of_steps).collect();
        // The same for passing a location inside an `atomic` sequence.
        let passed = |(location, own): (&FlowLocation<'p>, &Option<Promises>)| {
            let has_choice = location.steps.len() > 1;
            own.filter(|promises| *promises == 0 || !(has_choice || self.has_rendezvous))
        };
        let mut inside: Vec<Option<Promises>> = locations.iter().zip(&own).map(passed).collect();
        let onward = |inside: &[Option<Promises>], location: &FlowLocation<'p>, own: Option<Promises>| {
            let kept = location.steps.iter().filter(|step| step.keeps_control);
            kept.fold(own, |all, step| Some(all? | inside[step.target? as usize]?))
        };
        loop {
            let mut changed = false;
            for (at, location) in locations.iter().enumerate() {
                let better = onward(&inside, location, inside[at]);
                changed |= better != inside[at];
                inside[at] = better;
            }
            if !changed {
                break;
            }
        }
        locations.iter().zip(own).map(|(location, own)| onward(&inside, location, own)).collect()
    }

    /// On which promises it depends that nobody can interfere with a step.
    fn step(&self, what: What<'p>) -> Option<Promises> {
        let statement = match what {
            What::Hop(_) => return Some(0),
            What::End => return None,
            What::Statement(statement) => statement,
        };
        let Touches { shared: false, channels, .. } = self.toucher.statement(statement) else { return None };
        match channels[..] {
            [] => Some(0),
            [(channel, how)] if is_first(statement) => self.promise(channel, how),
            _ => None,
        }
    }

    fn promise(&self, channel: &Place, how: Use) -> Option<Promises> {
        let receives = match how {
            Use::Receive => true,
            Use::Send => false,
            Use::SendSorted | Use::StateParts => return None,
        };
        let fits = |promise: &Promise| promise.receives == receives && same_place(&promise.channel, channel);
        self.promises.iter().find(|(promise, _)| fits(promise)).map(|(_, bit)| *bit)
    }
}

/// Whether the one use of a channel in a statement comes before all else.
fn is_first(statement: &Stmt) -> bool {
    match &statement.kind {
        StmtKind::DStep(body) => body.first().is_some_and(is_first),
        StmtKind::Send { .. } | StmtKind::Receive { .. } => true,
        _ => false,
    }
}
