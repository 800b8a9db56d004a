//! Whether a compiled model fits into states and events.

use source::Span;

use super::super::compiled::{Start, StartValue};
use super::super::event::MOST_STATEMENTS;
use super::super::limits::{LARGEST_FRAME, MOST_KINDS, MOST_LOCATIONS, NotRunnable, Reason};
use super::Machine;
use crate::resolve::Program;

impl Machine {
    /// Refuses what was compiled but does not fit.
    pub(super) fn check_size(&self, program: &Program) -> Result<(), NotRunnable> {
        if self.channels.len() > MOST_KINDS {
            return Err(NotRunnable::new(Reason::ChannelKinds, Span::default()));
        }
        if self.statements.len() > MOST_STATEMENTS {
            return Err(NotRunnable::new(Reason::Statements, Span::default()));
        }
        if self.globals as u64 + self.channel_bytes(&self.starts) > LARGEST_FRAME {
            return Err(NotRunnable::new(Reason::Globals, Span::default()));
        }
        for (kind, process) in self.kinds.iter().zip(&program.processes) {
            if kind.locations.len() > MOST_LOCATIONS {
                return Err(NotRunnable::new(Reason::Locations, process.span));
            }
            if kind.size as u64 + self.channel_bytes(&kind.starts) > LARGEST_FRAME {
                return Err(NotRunnable::new(Reason::Locals, process.span));
            }
        }
        Ok(())
    }

    fn channel_bytes(&self, starts: &[Start]) -> u64 {
        let made = starts.iter().filter_map(|start| match start.value {
            StartValue::Channel(kind) => Some(&self.channels[kind]),
            StartValue::Value(_) => None,
        });
        made.map(|channel| 1 + u64::from(channel.size())).sum()
    }
}
