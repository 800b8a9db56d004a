//! Events as numbers: who did what where, and which inputs were given.
//!
//! Two steps that differ only in an input are different events, because the choice of an input is what people can make
//! otherwise. A number has room for one value of 32 bits; steps that take more share their event.

const PLACE_BITS: u32 = 21;
const VALUE_BITS: u32 = 32;

/// The values a step was given, as far as its event says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Given {
    Nothing,
    One(i32),
    /// More than there is room for.
    Others,
}

pub(crate) fn event(thread: usize, place: u32, given: &[i64]) -> u64 {
    let (sort, value) = match given {
        [] => (0, 0),
        [one] => match i32::try_from(*one) {
            Ok(one) => (1, u64::from(one as u32)),
            Err(_) => (2, 0),
        },
        _ => (2, 0),
    };
    (thread as u64) << 56 | sort << (PLACE_BITS + VALUE_BITS) | value << PLACE_BITS | u64::from(place)
}

pub(crate) fn thread_of(event: u64) -> u8 {
    (event >> 56) as u8
}

pub(crate) fn place_of(event: u64) -> usize {
    (event & ((1 << PLACE_BITS) - 1)) as usize
}

pub(crate) fn given_in(event: u64) -> Given {
    match event >> (PLACE_BITS + VALUE_BITS) & 7 {
        0 => Given::Nothing,
        1 => Given::One((event >> PLACE_BITS) as u32 as i32),
        _ => Given::Others,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_read_as_it_was_written() {
        for thread in [0, 1, 63] {
            for place in [0, 1, (1 << PLACE_BITS) - 1] {
                for (given, read) in [
                    (&[][..], Given::Nothing),
                    (&[-1], Given::One(-1)),
                    (&[i64::from(i32::MAX)], Given::One(i32::MAX)),
                    (&[1 << 32], Given::Others),
                    (&[1, 2], Given::Others),
                ] {
                    let event = event(thread, place, given);
                    assert_eq!(usize::from(thread_of(event)), thread);
                    assert_eq!(place_of(event), place as usize);
                    assert_eq!(given_in(event), read);
                }
            }
        }
    }
}
