//! Where variables lie in a state, and in all others with the same processes and channels.
//!
//! Frames follow one another, each led by its kind, so the kinds lay a state out. A `chan` variable stands for a
//! channel or for another variable's, so what it holds belongs to the layout, too.

use graph::{Held, Outline, Slot};

use super::Teller;
use super::state_parts::{Owner, StateParts};
use super::values::Shown;
use crate::resolve::Type;

/// A variable of a process, or of all.
type Whose = Option<(String, u8)>;

impl Teller<'_> {
    /// The outline of `state`; `named` makes the names of variables of what they are called and whose they are.
    pub fn outline(&self, state: &[u8], named: impl Fn(String, Whose) -> String) -> Outline {
        let look = StateParts::new(self, state);
        let frames = look.frames.processes.iter().chain(&look.frames.channels);
        let mut places: Vec<std::ops::Range<usize>> =
            frames.map(|frame| *frame as usize..*frame as usize + 1).collect();
        let mut slots = Vec::new();
        let processes = (0..look.frames.processes.len()).map(Some);
        for process in std::iter::once(None).chain(processes) {
            let whose = self.whose(&look, state, process);
            let table = self.table_of(&look, state, process);
            table.each(
                self.program,
                &self.frames,
                |_| true,
                |part| {
                    let start = look.start(process) + part.offset as usize;
                    let at = start..start + part.scalar.bytes() as usize;
                    if part.kind != Type::Chan {
                        if part.shown {
                            let name = named(part.name, whose.clone());
                            slots.push(Slot { name, held: Held::Bytes(at) });
                        }
                        return;
                    }
                    places.push(at);
                    // Messages are told of the channel that was made for the variable, a reference of the rest.
                    let made = look.made_for(Owner { process, offset: part.offset });
                    let messages = made.map(|channel| {
                        let frame = look.frames.channels[channel] as usize;
                        let size = self.channel_type(&look, state, channel).size() as usize;
                        frame + 1..frame + 1 + size
                    });
                    let value = part.scalar.load(&state[start..]);
                    let is_own = made.is_some() && look.channel(value) == made;
                    let shown = self.shown(&look, state, process, part);
                    for (number, shown) in shown.into_iter().enumerate() {
                        let Some(Shown { name, value, .. }) = shown else { continue };
                        let held = match &messages {
                            Some(messages) if is_own || number == 1 => Held::Bytes(messages.clone()),
                            _ => Held::Always(value),
                        };
                        slots.push(Slot { name: named(name, whose.clone()), held });
                    }
                },
            );
        }
        Outline::new(state, places, slots)
    }
}
