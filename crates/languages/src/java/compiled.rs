//! From what the user names to classes: a text is compiled, a class file and an archive are read as they are.
//!
//! `javac` runs on the text in a folder of its own, which is removed again. Nothing of the program itself is ever run
//! outside of our machine.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use anyhow::{Context, Result, anyhow, bail};
use jvm::{Archive, Jdk, Library, Options, Part, Source};

use crate::disk::text_of;
use crate::question::Question;

/// Where inputs come from, for programs written for other tools; only their names are known to the machine.
const VERIFY: &str = include_str!("Verify.java");
const VERIFIER: &str = include_str!("Verifier.java");

/// A program that can be loaded.
pub(super) struct Program {
    pub(super) library: Library,
    pub(super) options: Options,
    /// What the user should know.
    pub(super) notes: Vec<String>,
}

/// A folder that is removed with all that is in it.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Result<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("wherefore-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).with_context(|| format!("{} cannot be made", folder.display()))?;
        Ok(Self(folder))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed stays; there is nobody to tell.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl Program {
    pub(super) fn read(question: &Question<'_>) -> Result<Self> {
        let jdk = Jdk::find()?;
        let path = question.input.path;
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let mut notes = Vec::new();
        let mut parts = Vec::new();
        for part in &question.reading.class_path {
            parts.push(Part::at(part).map_err(|error| anyhow!("--classpath: {error}"))?);
        }
        let mut sources = Vec::new();
        let main = match extension {
            "class" => {
                let name = jvm::class_name(question.input.bytes)?;
                parts.insert(0, Part::Folder(root(path, &name)));
                sources.extend(beside(path));
                name
            }
            "jar" => {
                let archive = Archive::new(question.input.bytes.to_vec())
                    .map_err(|error| anyhow!("{}: {error}", path.display()))?;
                let main = archive.main_class();
                parts.insert(0, Part::Archive(archive));
                let Some(main) = question.reading.main.clone().or(main) else {
                    bail!("{}: its manifest names no class to start with: say --main", path.display());
                };
                main
            }
            _ => {
                let text = text_of(question.input.bytes).into_owned();
                if question.reading.no_external {
                    bail!(
                        "{}: a Java text is compiled by `javac`, and --no-external forbids that; give the class file",
                        path.display()
                    );
                }
                let classes = compile(&jdk, path, &text, &question.reading.class_path)?;
                parts.splice(0..0, classes);
                let name = path.display().to_string();
                let main = main_class(path, &text);
                sources.push(Source { path: name, text });
                main
            }
        };
        let main = question.reading.main.clone().unwrap_or(main);
        if extension != "java" && sources.is_empty() {
            notes.push("the source text is not at hand; steps are told by methods".to_owned());
        }
        let arguments = question.reading.arguments.clone();
        let options = Options { main, arguments, sources, ..Options::default() };
        let library = Library::new(parts, jdk)?;
        Ok(Self { library, options, notes })
    }
}

/// Compiles a text; the compiler's own words are the error.
fn compile(jdk: &Jdk, path: &Path, text: &str, class_path: &[PathBuf]) -> Result<Vec<Part>> {
    let Some(javac) = jdk.compiler() else {
        bail!(
            "{}: the JDK has no compiler (Debian: default-jdk-headless); compile it with `javac -g`",
            path.display()
        );
    };
    let scratch = Scratch::new()?;
    let write = |name: &str, text: &str| {
        let file = scratch.0.join(name);
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::write(&file, text)
    };
    write("inputs/gov/nasa/jpf/vm/Verify.java", VERIFY)?;
    write("inputs/org/sosy_lab/sv_benchmarks/Verifier.java", VERIFIER)?;
    let file_name = path.file_name().and_then(|name| name.to_str()).unwrap_or("Main.java");
    // The file itself, if it is one; what comes from a pipe is written down first.
    let file = if path.is_file() { path.to_owned() } else { scratch.0.join(file_name) };
    // A name that begins like an option, or like a file of options, is none.
    let file = if file.to_string_lossy().starts_with(['-', '@']) { Path::new(".").join(file) } else { file };
    if !path.is_file() {
        std::fs::write(&file, text)?;
    }
    let classes = scratch.0.join("classes");
    std::fs::create_dir_all(&classes)?;
    let own = root(&file, &main_class(path, text));
    let source_path = std::env::join_paths([own, scratch.0.join("inputs")])?;
    let mut command = Command::new(javac);
    command.args(["-g", "-nowarn", "-proc:none", "-implicit:class", "-encoding", "UTF-8", "-d"]);
    command.arg(&classes).arg("-sourcepath").arg(source_path);
    if !class_path.is_empty() {
        command.arg("-classpath").arg(std::env::join_paths(class_path)?);
    }
    command.arg(&file).stdin(Stdio::null());
    let output = command.output().context("`javac` cannot be run")?;
    if !output.status.success() {
        bail!("{}", text_of(&output.stderr).trim_end());
    }
    let mut parts = Vec::new();
    collect(&classes, "", &mut parts)?;
    Ok(parts)
}

/// All class files in a folder, in the order of their names.
fn collect(folder: &Path, package: &str, parts: &mut Vec<Part>) -> Result<()> {
    let mut entries = std::fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path().is_dir() {
            collect(&entry.path(), &format!("{package}{name}/"), parts)?;
        } else if let Some(stem) = name.strip_suffix(".class") {
            parts.push(Part::Class(format!("{package}{stem}"), std::fs::read(entry.path())?));
        }
    }
    Ok(())
}

/// The class that a text is expected to start with: the one its file is called after, in its package.
fn main_class(path: &Path, text: &str) -> String {
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or("Main");
    let package = text.lines().find_map(|line| line.trim().strip_prefix("package ")?.split(';').next());
    match package {
        Some(package) => format!("{}.{stem}", package.trim()),
        None => stem.to_owned(),
    }
}

/// The folder from which the names of packages lead to a file.
fn root(path: &Path, class: &str) -> PathBuf {
    let depth = class.chars().filter(|c| matches!(c, '.' | '/')).count();
    let mut folder = path.to_owned();
    for _ in 0..=depth {
        folder.pop();
    }
    if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder }
}

/// The text of a class file, if it lies beside it.
fn beside(path: &Path) -> Option<Source> {
    let stem = path.file_stem()?.to_str()?.split('$').next()?.to_owned();
    let file = path.with_file_name(format!("{stem}.java"));
    let text = std::fs::read_to_string(&file).ok()?;
    Some(Source { path: file.display().to_string(), text })
}
