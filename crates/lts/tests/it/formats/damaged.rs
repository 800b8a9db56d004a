//! Damaged files give a graph or an error with a place inside the file, and never a panic.

use std::io::Write;

use graph::Unwatched;
use lts::{Format, ReadError};
use proptest::prelude::*;

use super::random::{any_graph, runner};

#[derive(Clone, Debug)]
enum Damage {
    Flip(u8),
    Replace(u8),
    Delete(usize),
    Double(usize),
    Insert(Vec<u8>),
    Truncate,
}

fn damage() -> impl Strategy<Value = Damage> {
    let traps: [&[u8]; 22] = [
        b"\0",
        b"\n",
        b"\r",
        b"\"",
        b"\\",
        b"(",
        b")",
        b",",
        b"-",
        b"-1",
        b"99999999999999999999",
        b"4294967296",
        b"9223372036854775807",
        b"{",
        b"}",
        b"[",
        b"]",
        b"->",
        b"---\n",
        b"\xff\xfe",
        b"# initial: ",
        b"/*",
    ];
    prop_oneof![
        (0u8..8).prop_map(|bit| Damage::Flip(1 << bit)),
        any::<u8>().prop_map(Damage::Replace),
        (1usize..20).prop_map(Damage::Delete),
        (1usize..40).prop_map(Damage::Double),
        prop::sample::select(traps.to_vec()).prop_map(|bytes| Damage::Insert(bytes.to_vec())),
        Just(Damage::Truncate),
    ]
}

fn apply(file: &mut Vec<u8>, at: prop::sample::Index, damage: &Damage) {
    if file.is_empty() {
        return;
    }
    let at = at.index(file.len());
    let end = |length: usize| file.len().min(at + length);
    match damage {
        Damage::Flip(bit) => file[at] ^= bit,
        Damage::Replace(byte) => file[at] = *byte,
        Damage::Delete(length) => drop(file.drain(at..end(*length))),
        Damage::Double(length) => {
            let copy = file[at..end(*length)].to_vec();
            drop(file.splice(at..at, copy));
        }
        Damage::Insert(bytes) => drop(file.splice(at..at, bytes.iter().copied())),
        Damage::Truncate => file.truncate(at),
    }
}

/// Reads `file`; a place that is told must lie inside it.
fn check(format: Format, file: &[u8]) -> Result<(), TestCaseError> {
    let text = file.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(file);
    let lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').collect();
    let places = match lts::read(format, file, &Unwatched) {
        Ok(reading) => {
            let graph = &reading.graph;
            prop_assert!(!graph.initial().is_empty());
            prop_assert!(reading.warnings.len() < 10);
            // Whatever could be read can be written, or the writer says why not.
            for other in Format::ALL {
                let _ = lts::write(other, graph, &mut std::io::sink());
            }
            reading.warnings.iter().filter_map(|warning| warning.position).collect()
        }
        Err(ReadError::Malformed { position, message }) => {
            prop_assert!(message.chars().count() < 250, "{}", message);
            prop_assert!(!message.chars().any(char::is_control), "{:?}", message);
            vec![position]
        }
        Err(error) => return Err(TestCaseError::fail(error.to_string())),
    };
    for place in places {
        prop_assert!(place.line >= 1 && place.column >= 1);
        let line = lines.get(place.line as usize - 1);
        prop_assert!(line.is_some_and(|line| place.column <= line.len() as u64 + 1), "{}", place);
    }
    Ok(())
}

#[test]
fn damaged_files_are_read_or_refused() {
    let damages = prop::collection::vec((any::<prop::sample::Index>(), damage()), 1..5);
    runner(3000)
        .run(
            &(any_graph(), prop::sample::select(Format::ALL.to_vec()), damages),
            |(graph, format, damages)| {
                let mut file = Vec::new();
                if lts::write(format, &graph, &mut file).is_ok() {
                    for (at, damage) in &damages {
                        apply(&mut file, *at, damage);
                    }
                    check(format, &file)?;
                }
                Ok(())
            },
        )
        .unwrap();
}

#[test]
fn any_bytes_are_read_or_refused() {
    let bytes = prop::collection::vec(any::<u8>(), 0..200);
    runner(1000)
        .run(&(bytes, prop::sample::select(Format::ALL.to_vec())), |(bytes, format)| check(format, &bytes))
        .unwrap();
}

#[test]
fn every_cut_of_a_file_is_read_or_refused() {
    runner(20)
        .run(&any_graph(), |graph| {
            for format in Format::ALL {
                let mut file = Vec::new();
                if lts::write(format, &graph, &mut file).is_ok() {
                    (0..file.len()).try_for_each(|end| check(format, &file[..end]))?;
                }
            }
            Ok(())
        })
        .unwrap();
}

#[test]
fn fifty_megabytes_in_one_line_are_no_problem() {
    for format in Format::ALL {
        for byte in [b'a', b' ', b'0', b'"', b'(', b'{', b'[', b',', b'-', b'<', b'\\', b'\n'] {
            let long = vec![byte; 50_000_000];
            assert!(lts::read(format, &long, &Unwatched).is_err());
        }
        let mut file = Vec::new();
        let start: &[u8] = match format {
            Format::Aut => b"des (0, 1, 1)\n(0, \"",
            Format::TlcDot => b"digraph { a -> a [label=\"",
            Format::Csv => b"0,1,\"",
            Format::Fsm => b"---\n---\n1 1 \"",
            Format::Json => b"{\"format\": \"wherefore-lts/1\", \"transitions\": [[0, \"",
        };
        file.write_all(start).unwrap();
        file.resize(50_000_000, b'a');
        assert!(lts::read(format, &file, &Unwatched).is_err());
    }
}
