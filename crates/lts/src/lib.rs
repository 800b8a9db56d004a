//! lts
