//! What every reader has to do with any bytes: give a graph or an error with its place, and write a
//! graph it gave so that it can be read again.

use graph::Unwatched;
use lts::{Format, ReadError, WriteError};

pub fn check(format: Format, contents: &[u8]) {
    let _ = Format::detect(contents);
    let reading = match lts::read(format, contents, &Unwatched) {
        Ok(reading) => reading,
        Err(ReadError::Malformed { position, message }) => {
            assert!(position.line >= 1 && position.column >= 1);
            assert!(position.line as usize <= contents.len() + 1);
            assert!(position.column as usize <= contents.len() + 1);
            assert!(message.chars().count() < 250 && !message.chars().any(char::is_control));
            return;
        }
        Err(ReadError::Interrupted(_)) => unreachable!("nobody watches"),
    };
    assert!(!reading.graph.initial().is_empty());
    assert!(reading.warnings.len() < 10);
    // A short file may declare some ten thousand states, which only take time to write.
    let formats = if reading.graph.state_count() < 200 { &Format::ALL[..] } else { &[] };
    for other in formats.iter().copied() {
        let mut file = Vec::new();
        match lts::write(other, &reading.graph, &mut file) {
            Ok(()) => {
                let again = lts::read(other, &file, &Unwatched);
                let again = again.unwrap_or_else(|error| panic!("{other}:{error}"));
                let size = (reading.graph.state_count(), reading.graph.edge_count());
                assert_eq!((again.graph.state_count(), again.graph.edge_count()), size, "{other}");
            }
            Err(WriteError::SeveralInitialStates { .. } | WriteError::Text { .. }) => {}
            Err(error) => panic!("{other}: {error}"),
        }
    }
}
