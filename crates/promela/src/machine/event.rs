//! Events: who did what, without data, packed into a number.

/// Who did what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    pub process: u8,
    /// A number into [`Machine::statements`].
    pub statement: u32,
    /// In a rendezvous, who received, and with which statement.
    pub partner: Option<(u8, u32)>,
}

const STATEMENT_BITS: u32 = 24;
const NO_PARTNER: u64 = (1 << STATEMENT_BITS) - 1;
/// How many statements have numbers.
pub(crate) const MOST_STATEMENTS: usize = NO_PARTNER as usize;

impl Event {
    pub fn pack(self) -> u64 {
        let half = |process: u8, statement: u64| u64::from(process) << STATEMENT_BITS | statement;
        let partner = self
            .partner
            .map_or(half(0, NO_PARTNER), |(process, statement)| half(process, u64::from(statement)));
        half(self.process, u64::from(self.statement)) << 32 | partner
    }

    pub fn unpack(event: u64) -> Self {
        let process = |half: u64| (half >> STATEMENT_BITS & 0xff) as u8;
        let statement = |half: u64| (half & NO_PARTNER) as u32;
        let (own, partner) = (event >> 32, event & 0xffff_ffff);
        let has_partner = partner & NO_PARTNER != NO_PARTNER;
        Self {
            process: process(own),
            statement: statement(own),
            partner: has_partner.then(|| (process(partner), statement(partner))),
        }
    }
}

/// What is wrong with a step, packed into the number of a violation: a failed assertion ([`ASSERTION`]) or a
/// kind of [`model::Fault`], and the statement that is to blame. That may be the receiving side of a rendezvous,
/// or a statement inside a `d_step`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Breach {
    pub kind: u32,
    pub statement: u32,
}

/// A failed assertion as the kind of a breach; faults have those of their kinds.
pub const ASSERTION: u32 = 0;

const KIND_BITS: u32 = u32::BITS - STATEMENT_BITS;

impl Breach {
    pub fn pack(self) -> u32 {
        self.statement << KIND_BITS | self.kind
    }

    pub fn unpack(violation: u32) -> Self {
        Self { kind: violation & ((1 << KIND_BITS) - 1), statement: violation >> KIND_BITS }
    }

    pub fn is_assertion(self) -> bool {
        self.kind == ASSERTION
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_unpacked() {
        for partner in [None, Some((0, 0)), Some((254, 70_000))] {
            for (process, statement) in [(0, 0), (3, 12), (254, (1 << STATEMENT_BITS) - 2)] {
                let event = Event { process, statement, partner };
                assert_eq!(Event::unpack(event.pack()), event);
            }
        }
    }

    #[test]
    fn breaches_keep_both_halves() {
        for breach in [
            Breach { kind: ASSERTION, statement: (1 << STATEMENT_BITS) - 2 },
            Breach { kind: 14, statement: 0 },
        ] {
            assert_eq!(Breach::unpack(breach.pack()), breach);
        }
    }
}
