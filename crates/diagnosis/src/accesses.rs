//! What traces read and write, for [`explain::dependence`].

mod effects;
mod path;

pub(crate) use effects::of_effects;
pub(crate) use path::of_path;
