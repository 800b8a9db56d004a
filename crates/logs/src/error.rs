//! What makes a comparison impossible. What merely spoils a line is counted instead: see
//! [`Quality`](crate::Quality).

use std::io;

use thiserror::Error;

use crate::source::Side;

#[derive(Debug, Error)]
pub enum Error {
    #[error("{name} cannot be opened")]
    Open { name: String, source: io::Error },
    #[error("{name} cannot be read")]
    Read { name: String, source: io::Error },
    #[error("{name}: compressed with {kind}, which is not read; `{remedy}` unpacks it")]
    Compression { name: String, kind: &'static str, remedy: &'static str },
    #[error("{name}:1:1: {what}")]
    Content { name: String, what: String },
    #[error("the {side} traces have no events{why}")]
    NoEvents { side: Side, why: String },
    #[error("there are more than 4,294,967,294 distinct {0}")]
    TooMany(&'static str),
    #[error("a thread that reads logs ended early")]
    Broken,
    #[error("no thread can be started")]
    Thread(#[source] io::Error),
}
