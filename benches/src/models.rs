//! Promela models from files.

use std::path::Path;
use std::sync::Arc;

use preprocess::{Files, Options, Unread};
use promela::Model;

struct Disk;

impl Files for Disk {
    fn read(&self, path: &Path) -> Result<Arc<str>, Unread> {
        let bytes = std::fs::read(path).map_err(|_| Unread::Missing)?;
        Ok(String::from_utf8_lossy(&bytes).into())
    }
}

/// Reads a model that is known to be well formed; definitions are written like `-DN=3`.
pub fn read(path: &Path, definitions: &[impl AsRef<str>]) -> Model {
    let definition = |text: &str| {
        let (name, value) = text.trim_start_matches("-D").split_once('=').unwrap_or((text, "1"));
        (name.to_owned(), Some(value.to_owned()))
    };
    let defines = definitions.iter().map(|text| definition(text.as_ref())).collect();
    let text = Disk.read(path).unwrap_or_else(|_| panic!("{} is missing", path.display()));
    let model = Model::read(&Disk, path, text, &Options { defines, ..Options::default() }).model;
    model.unwrap_or_else(|_| panic!("{} is not well formed", path.display()))
}
