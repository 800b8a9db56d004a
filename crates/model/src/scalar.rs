//! Integers of a fixed width, as they lie in a state.

/// A width and a sign. Values are computed in 64 bits and wrapped to the width when stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Scalar {
    /// 1 to 64.
    pub bits: u8,
    pub signed: bool,
}

impl Scalar {
    pub const BIT: Self = Self::unsigned(1);
    pub const U8: Self = Self::unsigned(8);
    pub const I16: Self = Self::signed(16);
    pub const I32: Self = Self::signed(32);
    pub const I64: Self = Self::signed(64);

    /// # Panics
    /// Unless `1 <= bits <= 64`.
    pub const fn unsigned(bits: u8) -> Self {
        assert!(bits >= 1 && bits <= 64);
        Self { bits, signed: false }
    }

    /// # Panics
    /// Unless `1 <= bits <= 64`.
    pub const fn signed(bits: u8) -> Self {
        assert!(bits >= 1 && bits <= 64);
        Self { bits, signed: true }
    }

    /// How many bytes it takes in a state.
    pub const fn bytes(self) -> u32 {
        match self.bits {
            0..=8 => 1,
            9..=16 => 2,
            17..=32 => 4,
            _ => 8,
        }
    }

    /// The value that is left when only the width is kept.
    #[inline]
    pub const fn wrap(self, value: i64) -> i64 {
        let spare = 64 - self.bits as u32;
        if self.signed { (value << spare) >> spare } else { ((value as u64) << spare >> spare) as i64 }
    }

    /// The least and the greatest value; of 64 bits without a sign, both as they are kept.
    pub const fn bounds(self) -> (i64, i64) {
        let spare = 64 - self.bits as u32;
        if self.signed { (i64::MIN >> spare, i64::MAX >> spare) } else { (0, (u64::MAX >> spare) as i64) }
    }

    /// Reads it at the start of `bytes`.
    ///
    /// # Panics
    /// If `bytes` is too short.
    #[inline]
    pub fn load(self, bytes: &[u8]) -> i64 {
        match (self.bytes(), self.signed) {
            (1, false) => i64::from(bytes[0]),
            (1, true) => i64::from(bytes[0] as i8),
            (2, false) => i64::from(u16::from_le_bytes([bytes[0], bytes[1]])),
            (2, true) => i64::from(i16::from_le_bytes([bytes[0], bytes[1]])),
            (4, false) => i64::from(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])),
            (4, true) => i64::from(i32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])),
            _ => {
                let mut all = [0; 8];
                all.copy_from_slice(&bytes[..8]);
                i64::from_le_bytes(all)
            }
        }
    }

    /// Wraps `value` and writes it at the start of `bytes`.
    ///
    /// # Panics
    /// If `bytes` is too short.
    #[inline]
    pub fn store(self, bytes: &mut [u8], value: i64) {
        let little = self.wrap(value).to_le_bytes();
        match self.bytes() {
            1 => bytes[0] = little[0],
            2 => bytes[..2].copy_from_slice(&little[..2]),
            4 => bytes[..4].copy_from_slice(&little[..4]),
            _ => bytes[..8].copy_from_slice(&little),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrapping_is_that_of_the_machine() {
        for value in [-70_000i64, -1, 0, 1, 6, 127, 128, 255, 256, 40_000, i64::MAX, i64::MIN] {
            assert_eq!(Scalar::U8.wrap(value), i64::from(value as u8));
            assert_eq!(Scalar::I16.wrap(value), i64::from(value as i16));
            assert_eq!(Scalar::I32.wrap(value), i64::from(value as i32));
            assert_eq!(Scalar::I64.wrap(value), value);
            assert_eq!(Scalar::unsigned(32).wrap(value), i64::from(value as u32));
        }
        assert_eq!(Scalar::BIT.wrap(6), 0);
        assert_eq!(Scalar::unsigned(3).wrap(13), 5);
        assert_eq!(Scalar::signed(3).wrap(5), -3);
    }

    #[test]
    fn what_is_stored_is_loaded() {
        let mut bytes = [0xAA; 9];
        for bits in 1..=64 {
            for scalar in [Scalar::signed(bits), Scalar::unsigned(bits)] {
                for value in [0, 1, -1, 5, i64::MAX, i64::MIN, 0x1234_5678_9abc_def0] {
                    scalar.store(&mut bytes, value);
                    assert_eq!(scalar.load(&bytes), scalar.wrap(value), "{scalar:?} {value}");
                    assert_eq!(bytes[8], 0xAA);
                }
            }
        }
    }
}
