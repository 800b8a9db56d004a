//! Fingerprints that outlive the moving of lines: a hash of words (FNV-1a of 64 bits, by Fowler, Noll and Vo, which
//! is the same in every version and on every machine) and a number for those that are alike.

use std::collections::BTreeMap;

/// The fingerprints of one log.
#[derive(Debug, Default)]
pub(super) struct Fingerprints {
    /// How often each was given.
    given: BTreeMap<u64, u32>,
}

impl Fingerprints {
    /// The fingerprint of a sequence of words; blanks in them do not matter.
    pub(super) fn of<'w>(&mut self, words: impl IntoIterator<Item = &'w str>) -> String {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        let mut take = |byte: u8| hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        for word in words {
            word.bytes().filter(|byte| !byte.is_ascii_whitespace()).for_each(&mut take);
            // Words have no such byte, so they do not run together.
            take(0xff);
        }
        let given = self.given.entry(hash).or_default();
        *given += 1;
        format!("{hash:016x}:{given}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_kept_apart_and_blanks_are_not_seen() {
        let of = |words: &[&str]| Fingerprints::default().of(words.iter().copied());
        assert_eq!(of(&["x = 1;", "main"]), of(&["  x  =1;\n", "main"]));
        assert_ne!(of(&["ab", "c"]), of(&["a", "bc"]));
        // The number that FNV starts from.
        assert_eq!(of(&[]), "cbf29ce484222325:1");
    }

    #[test]
    fn those_alike_are_numbered() {
        let mut all = Fingerprints::default();
        let [first, second] = [all.of(["x"]), all.of(["x"])];
        assert_eq!(first.strip_suffix(":1"), second.strip_suffix(":2"));
    }
}
