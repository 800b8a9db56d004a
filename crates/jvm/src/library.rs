//! Where classes come from: the user's folders and archives, and the JDK.

mod archive;
mod image;
mod jdk;

use std::path::{Path, PathBuf};

pub use self::archive::Archive;
use self::image::Image;
pub use self::jdk::{Jdk, NoJdk};

/// A part of the class path.
#[derive(Debug)]
pub enum Part {
    /// A folder with class files in folders named like packages.
    Folder(PathBuf),
    Archive(Archive),
    /// One class by its name.
    Class(String, Vec<u8>),
}

/// All classes that can be loaded.
#[derive(Debug)]
pub struct Library {
    parts: Vec<Part>,
    image: Image,
    jdk: Jdk,
}

/// The bytes of a class, and whether the user wrote it.
pub(crate) struct FoundClass {
    pub(crate) bytes: Vec<u8>,
    pub(crate) is_users: bool,
}

impl Library {
    /// # Errors
    /// If the JDK's classes cannot be read.
    pub fn new(parts: Vec<Part>, jdk: Jdk) -> Result<Self, NoJdk> {
        let image = Image::open(&jdk.modules())?;
        Ok(Self { parts, image, jdk })
    }

    pub fn jdk(&self) -> &Jdk {
        &self.jdk
    }

    /// The bytes of the class with this binary name.
    pub(crate) fn find(&self, name: &str) -> Option<FoundClass> {
        if let Some(bytes) = self.image.class(name) {
            return Some(FoundClass { bytes, is_users: false });
        }
        self.parts.iter().find_map(|part| part.find(name)).map(|bytes| FoundClass { bytes, is_users: true })
    }
}

impl Part {
    /// What lies at `path`: an archive, a class file or a folder.
    ///
    /// # Errors
    /// If it cannot be read, with the reason.
    pub fn at(path: &Path) -> Result<Self, String> {
        if path.is_dir() {
            return Ok(Self::Folder(path.to_owned()));
        }
        let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        Archive::new(bytes).map(Self::Archive).map_err(|error| format!("{}: {error}", path.display()))
    }

    fn find(&self, name: &str) -> Option<Vec<u8>> {
        match self {
            // A name from a class file is no path that may lead elsewhere.
            Self::Folder(folder) if !name.split('/').any(|part| part.is_empty() || part == "..") => {
                std::fs::read(folder.join(format!("{name}.class"))).ok()
            }
            Self::Folder(_) => None,
            Self::Archive(archive) => archive.read(&format!("{name}.class")),
            Self::Class(own, bytes) => (own == name).then(|| bytes.clone()),
        }
    }
}
