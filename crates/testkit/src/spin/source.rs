//! A model as SPIN is given it: its file, and the files it includes.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::process::Command;

#[derive(Clone, Debug, Hash)]
pub struct Source {
    name: String,
    text: Vec<u8>,
    included: BTreeMap<String, Vec<u8>>,
}

impl Source {
    /// A model in one text.
    pub fn text(text: impl Into<String>) -> Self {
        Self { name: "model.pml".to_owned(), text: text.into().into_bytes(), included: BTreeMap::new() }
    }

    /// A model in a file, with everything it includes from the same folder. Compressed files are unpacked.
    pub fn file(path: &Path) -> io::Result<Self> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let name = name.strip_suffix(".gz").unwrap_or(&name).to_owned();
        let folder = path.parent().unwrap_or(Path::new("."));
        let text = read_maybe_compressed(path)?;
        let mut included = BTreeMap::new();
        let mut todo = includes_of(&text);
        while let Some(name) = todo.pop() {
            if included.contains_key(&name) {
                continue;
            }
            // A file that is missing is for SPIN to report.
            let Ok(text) = read_maybe_compressed(&folder.join(&name))
                .or_else(|_| read_maybe_compressed(&folder.join(format!("{name}.gz"))))
            else {
                continue;
            };
            todo.extend(includes_of(&text));
            included.insert(name, text);
        }
        Ok(Self { name, text, included })
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text of the model's own file.
    pub fn main_text(&self) -> String {
        String::from_utf8_lossy(&self.text).into_owned()
    }

    /// The model's own file first, then those it includes.
    pub fn files(&self) -> impl Iterator<Item = (&str, &[u8])> {
        let included = self.included.iter().map(|(name, text)| (name.as_str(), text.as_slice()));
        std::iter::once((self.name.as_str(), self.text.as_slice())).chain(included)
    }

    pub fn write_to(&self, folder: &Path) -> io::Result<()> {
        for (name, text) in self.files() {
            let path = folder.join(name);
            if let Some(parent) = path.parent() {
                std::fs::create_dir_all(parent)?;
            }
            std::fs::write(path, text)?;
        }
        Ok(())
    }
}

fn read_maybe_compressed(path: &Path) -> io::Result<Vec<u8>> {
    if path.extension().is_none_or(|extension| extension != "gz") {
        return std::fs::read(path);
    }
    let output = Command::new("gzip").arg("-dc").arg(path).output()?;
    if !output.status.success() {
        return Err(io::Error::other(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    Ok(output.stdout)
}

/// The names in `#include "name"`.
fn includes_of(text: &[u8]) -> Vec<String> {
    String::from_utf8_lossy(text)
        .lines()
        .filter_map(|line| {
            let name = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?;
            let (name, _) = name.trim_start().strip_prefix('"')?.split_once('"')?;
            (!name.starts_with('/') && !name.contains("..")).then(|| name.to_owned())
        })
        .collect()
}
