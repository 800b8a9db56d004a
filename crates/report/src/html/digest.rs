//! SHA-256 (FIPS 180-4) in base64, which is how a content security policy names the one script that may run.
//! The texts are our own and short; nothing here is about secrets.

/// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
fn round_constants() -> [u32; 64] {
    let mut constants = [0; 64];
    for (constant, prime) in constants.iter_mut().zip(primes()) {
        *constant = root_fraction(prime, 3);
    }
    constants
}

/// Of the square roots of the first eight.
fn initial() -> [u32; 8] {
    let mut words = [0; 8];
    for (word, prime) in words.iter_mut().zip(primes()) {
        *word = root_fraction(prime, 2);
    }
    words
}

fn primes() -> impl Iterator<Item = u128> {
    (2u128..).filter(|number| {
        (2..*number).take_while(|part| part * part <= *number).all(|part| number % part != 0)
    })
}

/// The first 32 bits after the point of a root, exactly: the largest `r` with `r^power <= prime * 2^(32 * power)`.
fn root_fraction(prime: u128, power: u32) -> u32 {
    let target = prime << (32 * power);
    let (mut low, mut high) = (0u128, 1u128 << 40);
    while high - low > 1 {
        let middle = low.midpoint(high);
        match middle.checked_pow(power) {
            Some(value) if value <= target => low = middle,
            _ => high = middle,
        }
    }
    (low & 0xffff_ffff) as u32
}

fn sha256(bytes: &[u8]) -> [u8; 32] {
    let constants = round_constants();
    let mut state = initial();
    let mut padded = bytes.to_vec();
    padded.push(0x80);
    while padded.len() % 64 != 56 {
        padded.push(0);
    }
    padded.extend_from_slice(&(bytes.len() as u64 * 8).to_be_bytes());
    for block in padded.chunks_exact(64) {
        let mut words = [0u32; 64];
        for (word, four) in words.iter_mut().zip(block.chunks_exact(4)) {
            *word = four.iter().fold(0, |word, byte| word << 8 | u32::from(*byte));
        }
        for at in 16..64 {
            let (old, new) = (words[at - 15], words[at - 2]);
            let small = old.rotate_right(7) ^ old.rotate_right(18) ^ (old >> 3);
            let large = new.rotate_right(17) ^ new.rotate_right(19) ^ (new >> 10);
            words[at] = words[at - 16].wrapping_add(small).wrapping_add(words[at - 7]).wrapping_add(large);
        }
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = state;
        for (constant, word) in constants.iter().zip(words) {
            let large = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
            let choice = (e & f) ^ (!e & g);
            let first = h.wrapping_add(large).wrapping_add(choice).wrapping_add(*constant).wrapping_add(word);
            let small = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
            let second = small.wrapping_add((a & b) ^ (a & c) ^ (b & c));
            (h, g, f, e, d, c, b, a) = (g, f, e, d.wrapping_add(first), c, b, a, first.wrapping_add(second));
        }
        for (word, new) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
            *word = word.wrapping_add(new);
        }
    }
    let mut digest = [0; 32];
    for (four, word) in digest.chunks_exact_mut(4).zip(state) {
        four.copy_from_slice(&word.to_be_bytes());
    }
    digest
}

/// The digest as a policy spells it.
pub(super) fn sha256_base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in sha256(bytes).chunks(3) {
        let bits =
            three.iter().fold(0u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - three.len()));
        for at in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * at) & 63) as usize];
            text.push(if at > three.len() { '=' } else { char::from(letter) });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of the standard, and one whose padding needs a block of its own.
    #[test]
    fn known_digests() {
        let hex = |bytes: &[u8]| sha256(bytes).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        assert_eq!(hex(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assert_eq!(hex(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        let two_blocks = b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
        assert_eq!(hex(two_blocks), "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
        let a_million = vec![b'a'; 1_000_000];
        assert_eq!(hex(&a_million), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    }

    #[test]
    fn base64_of_a_digest() {
        assert_eq!(sha256_base64(b"abc"), "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
    }
}
