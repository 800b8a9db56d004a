//! From labels back to statements: who executes which, so that what is said of one instance of a process can
//! be tried out for all.

use std::collections::BTreeMap;

use explain::anomalies::Fence;

use crate::naming::Naming;

/// A statement: the kind of process, the text, and where it stands.
type Statement = (String, String, Option<(String, u64, u64)>);

/// The statements behind the labels: who executes which in steps with each label.
pub(super) struct Statements {
    /// Process and statement, of both sides of a rendezvous.
    of: Vec<Vec<(u8, usize)>>,
}

impl Statements {
    pub(super) fn new<T: Naming>(system: &T, labels: usize) -> Self {
        let mut numbers: BTreeMap<Statement, usize> = BTreeMap::new();
        let of = (0..labels as u32).map(|label| {
            let told = system.told(label);
            let deeds = told.into_iter().flat_map(|told| std::iter::once(told.deed).chain(told.partner));
            let numbered = deeds.map(|deed| {
                let place = deed.location.map(|at| (at.file, at.line, at.column));
                let next = numbers.len();
                (deed.actor.number, *numbers.entry((deed.actor.name, deed.action, place)).or_insert(next))
            });
            numbered.collect()
        });
        Self { of: of.collect() }
    }

    /// The statements that one process executes in steps with two labels.
    pub(super) fn pair(&self, first: u32, second: u32) -> Option<(usize, usize)> {
        let of = |label: u32| self.of[label as usize].iter();
        of(second).find_map(|(process, second)| {
            of(first).find(|(other, _)| other == process).map(|(_, first)| (*first, *second))
        })
    }

    pub(super) fn fence(&self, first: usize, second: usize) -> Fence {
        let who = |statement: usize| {
            let of = self.of.iter().map(move |deeds| {
                deeds.iter().find(|(_, other)| *other == statement).map(|(process, _)| *process)
            });
            of.collect()
        };
        Fence { first: who(first), second: who(second) }
    }
}
