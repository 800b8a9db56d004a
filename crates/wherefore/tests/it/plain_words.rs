//! Reports, help and manual are plain technical English: phrases that strangers stumbled over are not used again, and
//! sentences stay short. The glossary (`docs/glossary.md`) has the words to use instead.

use std::fs;
use std::path::{Path, PathBuf};

/// What nobody should have to read, and what to write instead.
const BANNED: [(&str, &str); 29] = [
    ("for ever", "forever"),
    ("again and again", "repeatedly"),
    ("mends", "repairs, removes the violation"),
    ("of ours", "our own"),
    ("is no matter of", "does not depend on"),
    ("goes on so", "continues"),
    ("nobody gets", "no process gets"),
    ("comes too late", "runs too late"),
    ("calmest", "with the fewest decisions"),
    ("a way on", "an outgoing transition"),
    ("whoever is passed over", "fair or not"),
    ("asks nothing of it", "does not apply"),
    ("in place of nothing", "adds"),
    ("hands back", "returns"),
    ("(verified) (confirmed", "verified"),
    ("violated: no ", "violated:"),
    ("nothing can move", "no process can move"),
    ("was looked at again", "was tested again"),
    ("can fail no more", "cannot fail any more"),
    ("works out what", "computes the value that"),
    ("on the inputs of each run", "run again in the same way"),
    ("alone turns a passing", "differ only in"),
    ("it is read off", "seen in"),
    ("were not looked at", "were not examined"),
    ("was seen to help", "helps"),
    ("not all there are", "others were not"),
    ("is for failing traces only", "occurs in failing traces only"),
    ("a d_step is one", "a d_step counts as one statement"),
    ("goes on with what", "uses the value that"),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All files with this ending below a folder.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|known| known == ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The string literals of a line of Rust, joined; comments are for those who read the code.
fn literals(line: &str) -> String {
    let code = if line.trim_start().starts_with("//") { "" } else { line };
    code.split('"').skip(1).step_by(2).collect::<Vec<_>>().join(" ")
}

/// A line of a script, where quotes are of many kinds, but for comments.
fn script(line: &str) -> String {
    if line.trim_start().starts_with("//") { String::new() } else { line.to_owned() }
}

/// Whether a text has a phrase that does not go on as a longer word.
fn has(text: &str, phrase: &str) -> bool {
    let ends = |at: usize| !text[at + phrase.len()..].starts_with(char::is_alphabetic);
    text.match_indices(phrase).any(|(at, _)| ends(at))
}

fn complaints(path: &Path, read: impl Fn(&str) -> String) -> Vec<String> {
    let text = fs::read_to_string(path).expect("a text");
    let mut found = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let told = read(line).to_lowercase();
        for (banned, better) in BANNED {
            if has(&told, banned) {
                found.push(format!("{}:{number}: `{banned}` (write: {better})", path.display()));
            }
        }
    }
    found
}

#[test]
fn sentences_of_the_program_use_no_private_words() {
    let mut found = Vec::new();
    for folder in ["report", "languages", "pipeline", "wherefore", "findings", "logs", "promela", "cfront"] {
        let sources = root().join("crates").join(folder).join("src");
        for path in files(&sources, "rs") {
            found.extend(complaints(&path, literals));
        }
        for path in files(&sources, "js") {
            found.extend(complaints(&path, script));
        }
    }
    assert!(found.is_empty(), "private words:\n{}", found.join("\n"));
}

#[test]
fn the_manual_uses_no_private_words() {
    let mut pages = files(&root().join("docs"), "md");
    pages.push(root().join("README.md"));
    let found: Vec<String> = pages.iter().flat_map(|path| complaints(path, |line| line.to_owned())).collect();
    assert!(found.is_empty(), "private words:\n{}", found.join("\n"));
}

#[test]
fn literals_are_read_and_comments_are_not() {
    assert_eq!(literals(r#"    line("stays for ever", x);"#), "stays for ever");
    assert_eq!(literals(r#"    // "stays for ever""#), "");
    assert!(has("it stays for ever.", "for ever") && !has("one for every state", "for ever"));
}
