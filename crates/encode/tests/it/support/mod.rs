//! What the tests of traces share.

pub(crate) mod naive_trace;
pub(crate) mod random_trace;
