//! What a step changed.
//!
//! A step touches a few bytes. Equal frames are passed over as a whole, and only of bytes that differ
//! is it asked what they mean.

use super::Teller;
use super::state_parts::StateParts;
use super::values::Shown;
use crate::resolve::{Type, Variable};

/// A variable that holds something else than before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub name: String,
    /// Whose it is: name and number of a process; nothing for globals.
    pub process: Option<(String, u8)>,
    /// Nothing if it did not exist.
    pub old: Option<String>,
    /// Nothing if it does not exist any more.
    pub new: Option<String>,
}

/// A scalar that may have changed: whose, and where in the frame.
type Place = (Option<usize>, u32);

impl Teller<'_> {
    /// What holds something else in `to` than in `from`, in the order of [`Teller::values`]. Of a process
    /// that was created, only what is not 0; nothing of one that died.
    pub fn changes(&self, from: &[u8], to: &[u8]) -> Vec<Change> {
        let (before, after) = (StateParts::new(self, from), StateParts::new(self, to));
        let mut places = self.common_places(&before, from, &after, to);
        let lived = |process: Option<usize>| match process {
            None => true,
            Some(process) => same_process(&before, from, &after, to, process),
        };
        for process in (0..after.frames.processes.len()).filter(|process| !lived(Some(*process))) {
            self.all_places(&after, to, Some(process), |_| true, &mut places);
        }
        places.sort_unstable();
        places.dedup();
        let mut changes = Vec::new();
        for (process, offset) in places {
            let table = self.table_of(&after, to, process);
            let shown = |look: &StateParts, state: &[u8]| {
                let part = table.find(self.program, &self.frames, offset);
                part.map_or([None, None], |part| self.shown(look, state, process, part))
            };
            let new = shown(&after, to);
            let whose = || self.whose(&after, to, process);
            if lived(process) {
                let old = shown(&before, from);
                compare(old, new, |name, old, new| {
                    changes.push(Change { name, process: whose(), old, new });
                });
            } else {
                let set = new.into_iter().flatten().filter(|shown| !shown.is_zero);
                changes.extend(set.map(|Shown { name, value, .. }| Change {
                    name,
                    process: whose(),
                    old: None,
                    new: Some(value),
                }));
            }
        }
        changes
    }

    /// What may have changed of the globals and of processes that live on.
    fn common_places(&self, before: &StateParts, from: &[u8], after: &StateParts, to: &[u8]) -> Vec<Place> {
        let mut places = Vec::new();
        let processes = before.frames.processes.len().min(after.frames.processes.len());
        let same = (0..processes).filter(|process| same_process(before, from, after, to, *process));
        let regrouped = before.owners != after.owners;
        for process in std::iter::once(None).chain(same.map(Some)) {
            let (old, new) = (before.start(process), after.start(process));
            let size = match process {
                None => self.machine.globals,
                Some(_) => self.machine.kinds[usize::from(to[new])].size,
            };
            self.differences(&from[old..old + size], &to[new..new + size], process, after, to, &mut places);
            if regrouped {
                // A number can mean another channel than before.
                self.all_places(after, to, process, |variable| self.has_channels(variable), &mut places);
            }
        }
        for (channel, (old, new)) in before.owners.iter().zip(&after.owners).enumerate() {
            let lives = new.process.is_none_or(|process| same_process(before, from, after, to, process));
            if old != new || !lives {
                continue;
            }
            let size = self.channel_type(after, to, channel).size() as usize;
            let (old, new_start) = (before.frames.channels[channel], after.frames.channels[channel]);
            let (old, new_start) = (old as usize + 1, new_start as usize + 1);
            if from[old..old + size] != to[new_start..new_start + size] {
                places.push((new.process, new.offset));
            }
        }
        places
    }

    /// The scalars in which two frames of the same kind differ.
    fn differences(
        &self,
        old: &[u8],
        new: &[u8],
        process: Option<usize>,
        look: &StateParts,
        state: &[u8],
        places: &mut Vec<Place>,
    ) {
        if old == new {
            return;
        }
        let table = self.table_of(look, state, process);
        let mut at = 0;
        while let Some(next) = old[at..].iter().zip(&new[at..]).position(|(old, new)| old != new) {
            at += next;
            match table.find(self.program, &self.frames, at as u32) {
                Some(part) => {
                    places.push((process, part.offset));
                    at = (part.offset + part.scalar.bytes()) as usize;
                }
                None => at += 1,
            }
        }
    }

    fn all_places(
        &self,
        look: &StateParts,
        state: &[u8],
        process: Option<usize>,
        wanted: impl Fn(&Variable) -> bool,
        places: &mut Vec<Place>,
    ) {
        let table = self.table_of(look, state, process);
        table.each(self.program, &self.frames, wanted, |part| places.push((process, part.offset)));
    }

    /// Whether it is `chan`, or may have fields that are.
    fn has_channels(&self, variable: &Variable) -> bool {
        matches!(variable.ty, Type::Chan | Type::Record(_))
    }
}

fn same_process(before: &StateParts, from: &[u8], after: &StateParts, to: &[u8], process: usize) -> bool {
    let kind = |look: &StateParts, state: &[u8]| {
        look.frames.processes.get(process).map(|frame| state[*frame as usize])
    };
    kind(before, from) == kind(after, to)
}

/// Calls `differ` for everything that is shown with another value in one than in the other.
fn compare(
    old: [Option<Shown>; 2],
    new: [Option<Shown>; 2],
    mut differ: impl FnMut(String, Option<String>, Option<String>),
) {
    let mut old: Vec<Shown> = old.into_iter().flatten().collect();
    for shown in new.into_iter().flatten() {
        match old.iter().position(|other| other.name == shown.name) {
            Some(at) => {
                let before = old.remove(at);
                if before.value != shown.value {
                    differ(shown.name, Some(before.value), Some(shown.value));
                }
            }
            None => differ(shown.name, None, Some(shown.value)),
        }
    }
    for gone in old {
        differ(gone.name, Some(gone.value), None);
    }
}
