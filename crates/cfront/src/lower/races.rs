//! Data races: where it is asked for, accesses to memory that other threads see are announced, so that the
//! machine can find those of two threads that may happen at once.
//!
//! What functions of the library do with memory is announced for those that fill and copy bytes.

use model::{Builtin, Command, Expr, Region};

use super::body::Body;
use super::places::Spot;

impl Body<'_, '_> {
    /// Announces an access that comes next, in the same edge.
    pub(super) fn touch(&mut self, spot: &Spot, size: u32, writes: bool) {
        if spot.shared {
            let atomic = spot.atomic || self.atomic > 0;
            self.announce(spot.region(), Expr::Constant(i64::from(size)), writes, atomic);
        }
    }

    /// Announces what a function of the library does with the memory it is given.
    pub(super) fn touch_by(&mut self, which: Builtin, arguments: &[Expr]) {
        let Some(size) = arguments.get(2) else { return };
        let mut at = |index: usize, writes| {
            if let Some(pointer) = arguments.get(index) {
                self.announce(Region::Address(pointer.clone()), size.clone(), writes, false);
            }
        };
        match which {
            Builtin::FillBytes => at(0, true),
            Builtin::CopyBytes => {
                at(0, true);
                at(1, false);
            }
            Builtin::CompareBytes => {
                at(0, false);
                at(1, false);
            }
            _ => {}
        }
    }

    fn announce(&mut self, at: Region, size: Expr, writes: bool, atomic: bool) {
        if self.lowering.checks_races && self.lowering.threads {
            self.emit(Command::Touch { at, size, writes, atomic });
        }
    }
}
