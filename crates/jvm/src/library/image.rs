//! The JDK's `lib/modules`: all of its classes in one file, found by a perfect hash.
//!
//! Behind a header of seven words lie a table that repairs collisions of the hash, a table of the places of
//! attributes, the attributes of all resources, their names, and the resources themselves. Numbers are in the order of
//! the machine that made the file; only little-endian files are read. The file is mapped, because a program needs few
//! of its classes.

use std::fs::File;
use std::path::Path;

use memmap2::Mmap;

use super::jdk::NoJdk;

const MAGIC: u32 = 0xCAFE_DADA;
const HEADER: usize = 28;
const SEED: u32 = 0x0100_0193;

/// What is known of a resource, by the numbers of its attributes.
const MODULE: usize = 1;
const PARENT: usize = 2;
const BASE: usize = 3;
const EXTENSION: usize = 4;
const OFFSET: usize = 5;
const COMPRESSED: usize = 6;
const UNCOMPRESSED: usize = 7;

#[derive(Debug)]
pub(super) struct Image {
    map: Mmap,
    table_length: usize,
    locations: usize,
    strings: usize,
    data: usize,
}

impl Image {
    pub(super) fn open(path: &Path) -> Result<Self, NoJdk> {
        let bad = |reason: &str| NoJdk::Unreadable(path.display().to_string(), reason.to_owned());
        let file = File::open(path).map_err(|error| bad(&error.to_string()))?;
        // SAFETY: the map is only read. Should another program shrink the file meanwhile, the system
        // ends this one with a bus error; every tool that maps its input takes that risk.
        #[allow(unsafe_code, reason = "a map is the only way to read a file without copying it")]
        let map = unsafe { Mmap::map(&file) }.map_err(|error| bad(&error.to_string()))?;
        let word = |at: usize| word(&map, at * 4).map(|word| word as usize);
        if word(0) != Some(MAGIC as usize) {
            return Err(bad("not an image of modules that can be read"));
        }
        let (Some(table_length), Some(locations_size), Some(strings_size)) = (word(4), word(5), word(6))
        else {
            return Err(bad("the image is cut off"));
        };
        let locations = HEADER + table_length * 8;
        let strings = locations + locations_size;
        let data = strings + strings_size;
        if table_length == 0 || data > map.len() {
            return Err(bad("the image is cut off"));
        }
        Ok(Self { map, table_length, locations, strings, data })
    }

    /// The bytes of a class.
    pub(super) fn class(&self, name: &str) -> Option<Vec<u8>> {
        if let Some(bytes) = self.resource("java.base", name) {
            return Some(bytes);
        }
        let package = name.rsplit_once('/')?.0.replace('/', ".");
        let modules = self.find(&format!("/packages/{package}"))?;
        // Pairs: whether the package is empty in a module, and the name of the module.
        let mut pairs = modules.chunks_exact(8);
        pairs.find_map(|pair| {
            let module = self.text(word(pair, 4)? as usize)?;
            self.resource(module, name)
        })
    }

    fn resource(&self, module: &str, name: &str) -> Option<Vec<u8>> {
        self.find(&format!("/{module}/{name}.class"))
    }

    fn find(&self, path: &str) -> Option<Vec<u8>> {
        let slot = |hash: u32| hash as usize % self.table_length;
        let redirect = word(&self.map, HEADER + slot(hash(path, SEED)) * 4)? as i32;
        let at = match redirect {
            0 => return None,
            1.. => slot(hash(path, redirect as u32)),
            _ => usize::try_from(-1 - i64::from(redirect)).ok()?,
        };
        if at >= self.table_length {
            return None;
        }
        let place = word(&self.map, HEADER + (self.table_length + at) * 4)? as usize;
        let attributes = self.attributes(self.locations + place)?;
        if !self.is_named(&attributes, path)? || attributes[COMPRESSED] != 0 {
            return None;
        }
        let start = self.data.checked_add(usize::try_from(attributes[OFFSET]).ok()?)?;
        let end = start.checked_add(usize::try_from(attributes[UNCOMPRESSED]).ok()?)?;
        self.map.get(start..end).map(<[u8]>::to_vec)
    }

    fn attributes(&self, from: usize) -> Option<[u64; 8]> {
        let mut attributes = [0; 8];
        let mut at = from;
        loop {
            let head = *self.map.get(at)?;
            let (kind, length) = (usize::from(head >> 3), usize::from(head & 7) + 1);
            if kind == 0 {
                return Some(attributes);
            }
            let bytes = self.map.get(at + 1..at + 1 + length)?;
            let value = bytes.iter().fold(0u64, |value, byte| value << 8 | u64::from(*byte));
            *attributes.get_mut(kind)? = value;
            at += 1 + length;
        }
    }

    /// Whether a resource has this name; the hash is perfect only for names that exist.
    fn is_named(&self, attributes: &[u64; 8], path: &str) -> Option<bool> {
        let text = |kind: usize| self.text(attributes[kind] as usize);
        let mut name = String::with_capacity(path.len());
        for (kind, before) in [(MODULE, "/"), (PARENT, "/"), (BASE, "/"), (EXTENSION, ".")] {
            let part = text(kind)?;
            if !part.is_empty() {
                name.push_str(before);
                name.push_str(part);
            }
        }
        Some(name == path)
    }

    fn text(&self, offset: usize) -> Option<&str> {
        let bytes = self.map.get(self.strings.checked_add(offset)?..self.data)?;
        let end = bytes.iter().position(|byte| *byte == 0)?;
        std::str::from_utf8(&bytes[..end]).ok()
    }
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(bytes.try_into().ok()?))
}

fn hash(text: &str, seed: u32) -> u32 {
    text.bytes().fold(seed, |hash, byte| hash.wrapping_mul(SEED) ^ u32::from(byte)) & 0x7fff_ffff
}
