//! Compressed logs, known by their first bytes: gzip and Zstandard are unpacked, others are named.
//!
//! Both formats allow several streams one after the other, as `cat a.gz b.gz` makes them. The decoder
//! for Zstandard reads one frame, so the loop over frames, and over those to be skipped, is here.

use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::MultiGzDecoder;
use ruzstd::decoding::FrameDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};

/// What the first bytes tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compression {
    Plain,
    Gzip,
    Zstandard,
    /// A kind we do not read, and what unpacks it.
    Other(&'static str, &'static str),
}

/// How many bytes [`Compression::detect`] wants to see.
pub(crate) const MAGIC: usize = 6;

impl Compression {
    pub(crate) fn detect(start: &[u8]) -> Self {
        const OTHERS: [(&[u8], &str, &str); 7] = [
            (b"\xfd7zXZ\0", "xz", "xz -d"),
            (b"BZh", "bzip2", "bunzip2"),
            (b"\x04\x22\x4d\x18", "lz4", "lz4 -d"),
            (b"PK\x03\x04", "zip", "unzip"),
            (b"7z\xbc\xaf\x27\x1c", "7-Zip", "7z x"),
            (b"\x1f\x9d", "compress", "uncompress"),
            (b"\xff\x06\0\0sN", "snappy", "snzip -d"),
        ];
        if start.starts_with(b"\x1f\x8b") {
            return Self::Gzip;
        }
        // A frame, or one to be skipped.
        if start.starts_with(b"\x28\xb5\x2f\xfd")
            || (start.get(1..4) == Some(b"\x2a\x4d\x18") && start[0] & 0xf0 == 0x50)
        {
            return Self::Zstandard;
        }
        let other = OTHERS.iter().find(|(magic, ..)| start.starts_with(magic));
        other.map_or(Self::Plain, |(_, kind, remedy)| Self::Other(kind, remedy))
    }

    /// The unpacked bytes; `None` for kinds we do not read.
    pub(crate) fn unpack(self, packed: impl Read + Send + 'static) -> Option<Box<dyn Read + Send>> {
        let buffered = |packed| BufReader::with_capacity(1 << 16, packed);
        match self {
            Self::Plain => Some(Box::new(packed)),
            Self::Gzip => Some(Box::new(MultiGzDecoder::new(buffered(packed)))),
            Self::Zstandard => Some(Box::new(Frames {
                packed: buffered(packed),
                decoder: FrameDecoder::new(),
                within: false,
            })),
            Self::Other(..) => None,
        }
    }
}

/// All frames of a Zstandard stream.
struct Frames<R> {
    packed: R,
    decoder: FrameDecoder,
    within: bool,
}

impl<R: BufRead> Frames<R> {
    /// Begins the next frame; false at the end.
    fn next_frame(&mut self) -> io::Result<bool> {
        while !self.packed.fill_buf()?.is_empty() {
            match self.decoder.reset(&mut self.packed) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    let skipped = io::copy(&mut (&mut self.packed).take(u64::from(length)), &mut io::sink())?;
                    if skipped < u64::from(length) {
                        return Err(io::ErrorKind::UnexpectedEof.into());
                    }
                }
                Err(error) => return Err(invalid(error)),
            }
        }
        Ok(false)
    }

    fn checksum_fits(&self) -> bool {
        match (self.decoder.get_checksum_from_data(), self.decoder.get_calculated_checksum()) {
            (Some(written), Some(computed)) => written == computed,
            _ => true,
        }
    }
}

impl<R: BufRead> Read for Frames<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        use ruzstd::decoding::BlockDecodingStrategy::UptoBytes;
        if into.is_empty() {
            return Ok(0);
        }
        loop {
            if !self.within {
                if !self.next_frame()? {
                    return Ok(0);
                }
                self.within = true;
            }
            while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                self.decoder.decode_blocks(&mut self.packed, UptoBytes(into.len())).map_err(invalid)?;
            }
            let read = self.decoder.read(into)?;
            if read > 0 {
                return Ok(read);
            }
            self.within = false;
            if !self.checksum_fits() {
                return Err(invalid("the checksum is wrong"));
            }
        }
    }
}

fn invalid(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packed.write_all(text).unwrap();
        packed.finish().unwrap()
    }

    fn zstandard(text: &[u8]) -> Vec<u8> {
        ruzstd::encoding::compress_to_vec(text, ruzstd::encoding::CompressionLevel::Fastest)
    }

    fn unpacked(packed: Vec<u8>) -> io::Result<Vec<u8>> {
        let kind = Compression::detect(&packed[..packed.len().min(MAGIC)]);
        let mut text = Vec::new();
        kind.unpack(io::Cursor::new(packed)).expect("a kind we read").read_to_end(&mut text)?;
        Ok(text)
    }

    #[test]
    fn several_streams_in_one_file_are_one_text() {
        let long = b"the same line over and over\n".repeat(20_000);
        for pack in [gzip, zstandard] {
            let packed = [pack(b"one\n"), pack(&long), pack(b""), pack(b"two\n")].concat();
            assert_eq!(unpacked(packed).unwrap(), [&b"one\n"[..], &long, b"two\n"].concat());
        }
        let skipped = [b"\x51\x2a\x4d\x18\x03\0\0\0abc".to_vec(), zstandard(b"x\n")].concat();
        assert_eq!(unpacked(skipped).unwrap(), b"x\n");
    }

    #[test]
    fn what_is_cut_off_or_damaged_is_an_error() {
        for pack in [gzip, zstandard] {
            let packed = pack(&b"a line, and another one\n".repeat(1000));
            assert!(unpacked(packed[..packed.len() - 3].to_vec()).is_err());
            let mut damaged = packed.clone();
            let middle = damaged.len() / 2;
            damaged[middle] ^= 0xff;
            assert!(unpacked(damaged).is_err());
        }
    }

    #[test]
    fn other_kinds_are_named() {
        assert!(matches!(Compression::detect(b"\xfd7zXZ\0"), Compression::Other("xz", _)));
        assert!(matches!(Compression::detect(b"BZh91A"), Compression::Other("bzip2", _)));
        assert_eq!(Compression::detect(b"BOO"), Compression::Plain);
        assert_eq!(Compression::detect(b""), Compression::Plain);
        assert_eq!(Compression::detect(b"\x50"), Compression::Plain);
    }
}
