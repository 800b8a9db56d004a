//! Fixtures: a system, a property and the expected explanation in one readable document.
//!
//! Every `.md` file in `fixtures/` is run as `support::documents` says, and every report is held against the schema and
//! the honesty matrix. `WHEREFORE_UPDATE=1` writes what was printed into the documents, to be read before it is
//! committed.

use std::path::Path;

use crate::support::documents::{Kind, files, hold};

#[test]
fn every_fixture_is_explained_as_written() {
    let files = files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures"), "md");
    assert!(files.len() >= 4, "the fixtures are missing");
    hold(&files, Kind::Fixture);
}
