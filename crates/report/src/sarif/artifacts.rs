//! Files as SARIF names them: relative URIs from the folder the command ran in, percent-encoded, each with a number.
//!
//! Viewers look for relative URIs in the user's own tree, so a log made on one machine opens on another. What lies
//! outside of the folder keeps its whole path as a `file:` URI.

use super::log::{ArtifactLocation, Content, PhysicalLocation, Region};
use crate::Location;

/// The name of the folder that relative URIs start from, as viewers know it.
pub(super) const ROOT: &str = "%SRCROOT%";

/// The files that a log names, in the order in which they are first named.
#[derive(Debug)]
pub(super) struct Artifacts<'a> {
    folder: Option<&'a str>,
    /// Files as the report calls them. Few, so they are looked for one after another.
    known: Vec<(String, ArtifactLocation)>,
}

impl<'a> Artifacts<'a> {
    /// Absolute paths inside of `folder` are told from there.
    pub(super) fn new(folder: Option<&'a str>) -> Self {
        Self { folder, known: Vec::new() }
    }

    pub(super) fn file(&mut self, file: &str) -> ArtifactLocation {
        if let Some((_, location)) = self.known.iter().find(|(known, _)| known == file) {
            return location.clone();
        }
        let (uri, uri_base_id) = uri(file, self.folder);
        // The same file may be called by several names.
        let same = self.known.iter().find(|(_, location)| location.uri == uri);
        let index = same.map_or_else(|| self.count(), |(_, location)| location.index);
        let location = ArtifactLocation { uri, uri_base_id, index };
        self.known.push((file.to_owned(), location.clone()));
        location
    }

    pub(super) fn place<'r>(&mut self, location: &'r Location) -> PhysicalLocation<'r> {
        let artifact_location = self.file(&location.file);
        if location.line == 0 {
            return PhysicalLocation { artifact_location, region: None, context_region: None };
        }
        let line = Region { start_line: location.line, ..Region::default() };
        PhysicalLocation {
            artifact_location,
            region: Some(Region { start_column: (location.column > 0).then_some(location.column), ..line }),
            context_region: Some(Region {
                start_line: location.line,
                snippet: Some(Content { text: (&*location.text).into() }),
                ..Region::default()
            }),
        }
    }

    /// A file as a whole.
    pub(super) fn whole(&mut self, file: &str) -> PhysicalLocation<'static> {
        PhysicalLocation { artifact_location: self.file(file), region: None, context_region: None }
    }

    fn count(&self) -> usize {
        self.known.iter().map(|(_, location)| location.index + 1).max().unwrap_or_default()
    }

    /// All files, by their numbers.
    pub(super) fn listed(self) -> Vec<ArtifactLocation> {
        let mut all: Vec<ArtifactLocation> = self.known.into_iter().map(|(_, location)| location).collect();
        all.sort_by_key(|location| location.index);
        all.dedup_by_key(|location| location.index);
        all
    }
}

/// The URI of a file, and what it starts from if it is relative.
fn uri(file: &str, folder: Option<&str>) -> (String, Option<&'static str>) {
    let inside = folder.and_then(|folder| {
        let rest = file.strip_prefix(folder.trim_end_matches('/'))?;
        rest.strip_prefix('/').map(|rest| rest.trim_start_matches('/'))
    });
    let relative = inside.filter(|inside| !inside.is_empty()).unwrap_or(file);
    if relative.starts_with('/') {
        return (format!("file://{}", encoded(relative)), None);
    }
    let segments: Vec<String> =
        relative.split('/').filter(|segment| !matches!(*segment, "" | ".")).map(encoded).collect();
    (segments.join("/"), Some(ROOT))
}

/// A path in which all bytes that mean something else in a URI are written as `%41`.
fn encoded(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                out.push(byte.into())
            }
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_where_possible_and_always_encoded() {
        let relative = |file: &str, folder| {
            let (uri, base) = uri(file, folder);
            (uri, base.is_some())
        };
        let here = Some("/home/me/my project/");
        assert_eq!(relative("src/a.c", here), ("src/a.c".to_owned(), true));
        assert_eq!(relative("./src//a.c", None), ("src/a.c".to_owned(), true));
        assert_eq!(relative("../a b.c", here), ("../a%20b.c".to_owned(), true));
        assert_eq!(relative("/home/me/my project/x/ä.pml", here), ("x/%C3%A4.pml".to_owned(), true));
        assert_eq!(
            relative("/home/me/my projects/x", here),
            ("file:///home/me/my%20projects/x".to_owned(), false)
        );
        assert_eq!(relative("c:x%41?#", here), ("c%3Ax%2541%3F%23".to_owned(), true));
    }

    #[test]
    fn two_names_of_one_file_are_one_artifact() {
        let mut artifacts = Artifacts::new(Some("/w"));
        let numbers = ["a.c", "/w/a.c", "b.h", "./a.c"].map(|file| artifacts.file(file).index);
        assert_eq!(numbers, [0, 0, 1, 0]);
        let uris: Vec<String> = artifacts.listed().into_iter().map(|location| location.uri).collect();
        assert_eq!(uris, ["a.c", "b.h"]);
    }
}
