//! Events as numbers: who did what, and which inputs were given.
//!
//! Two steps that differ only in an input are different events, because the choice of an input is what
//! people can make otherwise. A number has room for one value of 33 bits (any `int` or `unsigned`) or two of 16; steps
//! that take more than that share their event.

/// How many labels there may be.
pub(super) const MOST_LABELS: usize = 1 << LABEL_BITS;

const LABEL_BITS: u32 = 21;
const GIVEN_BITS: u32 = 33;
const HALF: u32 = GIVEN_BITS / 2;

/// The inputs a step took, as far as its event says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Given {
    Nothing,
    One(i64),
    Two(i64, i64),
    /// More than there is room for.
    Others,
}

/// The thread, the values of the inputs it was given, and a number into [`super::Machine::labels`].
pub(crate) fn event(thread: usize, label: u32, given: &[i64]) -> u64 {
    let (sort, value) = match given {
        [] => (0, 0),
        [one] if fits(*one, GIVEN_BITS) => (1, low(*one, GIVEN_BITS)),
        [one, two] if fits(*one, HALF) && fits(*two, HALF) => (2, low(*one, HALF) << HALF | low(*two, HALF)),
        _ => (3, 0),
    };
    (thread as u64) << 56 | (sort << GIVEN_BITS | value) << LABEL_BITS | u64::from(label)
}

pub(crate) fn thread_of(event: u64) -> u8 {
    (event >> 56) as u8
}

pub(crate) fn label_of(event: u64) -> usize {
    (event & (MOST_LABELS as u64 - 1)) as usize
}

pub(crate) fn given_in(event: u64) -> Given {
    let given = event >> LABEL_BITS;
    match given >> GIVEN_BITS & 3 {
        0 => Given::Nothing,
        1 => Given::One(signed(given, GIVEN_BITS)),
        2 => Given::Two(signed(given >> HALF, HALF), signed(given, HALF)),
        _ => Given::Others,
    }
}

fn fits(value: i64, bits: u32) -> bool {
    signed(low(value, bits), bits) == value
}

fn low(value: i64, bits: u32) -> u64 {
    value as u64 & ((1 << bits) - 1)
}

fn signed(value: u64, bits: u32) -> i64 {
    (value << (64 - bits)) as i64 >> (64 - bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_read_as_it_was_written() {
        for thread in [0, 1, 63] {
            for label in [0, 1, MOST_LABELS as u32 - 1] {
                for (given, read) in [
                    (&[][..], Given::Nothing),
                    (&[0], Given::One(0)),
                    (&[-1], Given::One(-1)),
                    (&[i64::from(i32::MIN)], Given::One(i64::from(i32::MIN))),
                    (&[i64::from(u32::MAX)], Given::One(i64::from(u32::MAX))),
                    (&[1 << 32], Given::Others),
                    (&[-5, 32767], Given::Two(-5, 32767)),
                    (&[32768, 0], Given::Others),
                    (&[1, 2, 3], Given::Others),
                ] {
                    let event = event(thread, label, given);
                    assert_eq!(usize::from(thread_of(event)), thread);
                    assert_eq!(label_of(event), label as usize);
                    assert_eq!(given_in(event), read);
                }
            }
        }
    }
}
