//! Finds the JDK: where `JAVA_HOME` says, or where `java` on the path leads.

use std::env;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// A JDK that is installed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Jdk {
    home: PathBuf,
}

#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum NoJdk {
    #[error("no JDK was found: set JAVA_HOME, or install one (Debian: default-jdk-headless)")]
    Missing,
    #[error("{0}: {1}")]
    Unreadable(String, String),
}

impl Jdk {
    /// The JDK of this machine.
    ///
    /// # Errors
    /// If there is none.
    pub fn find() -> Result<Self, NoJdk> {
        let named = env::var_os("JAVA_HOME").map(PathBuf::from);
        let on_path = || {
            let folders = env::var_os("PATH")?;
            let java =
                env::split_paths(&folders).map(|folder| folder.join("java")).find(|java| java.is_file())?;
            let java = java.canonicalize().ok()?;
            Some(java.parent()?.parent()?.to_owned())
        };
        let named = named.and_then(|home| Self::at(&home));
        named.or_else(|| Self::at(&on_path()?)).ok_or(NoJdk::Missing)
    }

    /// The JDK in a folder, if one is there.
    pub fn at(home: &Path) -> Option<Self> {
        let jdk = Self { home: home.to_owned() };
        jdk.modules().is_file().then_some(jdk)
    }

    pub fn home(&self) -> &Path {
        &self.home
    }

    /// The compiler, if this is more than a run-time environment.
    pub fn compiler(&self) -> Option<PathBuf> {
        let javac = self.home.join("bin/javac");
        javac.is_file().then_some(javac)
    }

    /// What the JDK says of its version.
    pub fn version(&self) -> Option<String> {
        let text = std::fs::read_to_string(self.home.join("release")).ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix("JAVA_VERSION="))?;
        Some(line.trim_matches('"').to_owned())
    }

    pub(super) fn modules(&self) -> PathBuf {
        self.home.join("lib/modules")
    }
}
