//! Numbers in as few bytes as they need.

pub(super) fn put(out: &mut Vec<u8>, value: u64) {
    let mut value = value;
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

pub(super) fn put_signed(out: &mut Vec<u8>, value: i64) {
    put(out, (value << 1 ^ value >> 63) as u64);
}

/// Reads what was put. States are our own, so nothing is ever missing; if it were, zeros would be read.
#[derive(Debug)]
pub(super) struct Reader<'s> {
    bytes: &'s [u8],
    at: usize,
}

impl<'s> Reader<'s> {
    pub(super) fn new(bytes: &'s [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    pub(super) fn is_done(&self) -> bool {
        self.at >= self.bytes.len()
    }

    pub(super) fn byte(&mut self) -> u8 {
        let byte = self.bytes.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        byte
    }

    pub(super) fn number(&mut self) -> u64 {
        let (mut value, mut shift) = (0, 0);
        loop {
            let byte = self.byte();
            value |= u64::from(byte & 0x7f).wrapping_shl(shift);
            shift += 7;
            if byte < 0x80 {
                return value;
            }
        }
    }

    pub(super) fn small(&mut self) -> u32 {
        self.number() as u32
    }

    pub(super) fn count(&mut self) -> usize {
        self.number() as usize
    }

    pub(super) fn signed(&mut self) -> i64 {
        let value = self.number();
        (value >> 1) as i64 ^ -((value & 1) as i64)
    }

    pub(super) fn four(&mut self) -> [u8; 4] {
        [self.byte(), self.byte(), self.byte(), self.byte()]
    }

    pub(super) fn eight(&mut self) -> [u8; 8] {
        let (one, two) = (self.four(), self.four());
        [one[0], one[1], one[2], one[3], two[0], two[1], two[2], two[3]]
    }
}
