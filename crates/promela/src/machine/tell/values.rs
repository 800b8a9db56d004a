//! What variables hold.
//!
//! A `chan` variable stands for the channel that was made for it and shows its messages; where it refers
//! to another channel, it shows whose.

use super::Teller;
use super::parts::Part;
use super::state_parts::{Owner, StateParts};
use crate::resolve::Type;

/// What a variable holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// `x`, `a[2]`, `node[1].state`
    pub name: String,
    /// Whose it is: name and number of a process; nothing for globals.
    pub process: Option<(String, u8)>,
    pub value: String,
}

/// What is shown of a scalar.
#[derive(Debug)]
pub(super) struct Shown {
    pub(super) name: String,
    pub(super) value: String,
    /// It holds what everything holds that nobody has set.
    pub(super) is_zero: bool,
}

impl<'m> Teller<'m> {
    /// What all variables hold: globals in the order of their declarations, then the locals of each
    /// process. Rendezvous channels hold nothing and are left out, and so are hidden variables.
    pub fn values(&self, state: &[u8]) -> Vec<Value> {
        let look = StateParts::new(self, state);
        let mut values = Vec::new();
        let processes = (0..look.frames.processes.len()).map(Some);
        for process in std::iter::once(None).chain(processes) {
            let whose = self.whose(&look, state, process);
            let table = self.table_of(&look, state, process);
            table.each(
                self.program,
                &self.frames,
                |_| true,
                |part| {
                    let shown = self.shown(&look, state, process, part).into_iter().flatten();
                    values.extend(shown.map(|Shown { name, value, .. }| Value {
                        name,
                        process: whose.clone(),
                        value,
                    }));
                },
            );
        }
        values
    }

    pub(super) fn whose(
        &self,
        look: &StateParts,
        state: &[u8],
        process: Option<usize>,
    ) -> Option<(String, u8)> {
        let process = process?;
        let name = self.kind_name(state, look.frames.processes[process] as usize);
        Some((name.to_owned(), process as u8))
    }

    /// What is shown of a part. A variable that was given another channel shows both: whose it refers
    /// to now, and what lies in the channel that was made for it.
    pub(super) fn shown(
        &self,
        look: &StateParts,
        state: &[u8],
        process: Option<usize>,
        part: Part<'m>,
    ) -> [Option<Shown>; 2] {
        if !part.shown {
            return [None, None];
        }
        let value = part.scalar.load(&state[look.start(process) + part.offset as usize..]);
        if part.kind != Type::Chan {
            let text = self.plain_text(part.kind, value);
            return [Some(Shown { name: part.name, value: text, is_zero: value == 0 }), None];
        }
        let made = look.made_for(Owner { process, offset: part.offset });
        let contents = |name: String| {
            let made = made.filter(|made| self.channel_type(look, state, *made).capacity > 0)?;
            let is_zero = self.held(look, state, made).is_empty();
            Some(Shown { name, value: self.contents_text(look, state, made, &[]), is_zero })
        };
        if made.is_some() && look.channel(value) == made {
            return [contents(part.name), None];
        }
        let first = contents(format!("channel of {}", part.name));
        let text = self.reference_text(look, state, value, process);
        [Some(Shown { name: part.name, value: text, is_zero: value == 0 }), first]
    }
}
