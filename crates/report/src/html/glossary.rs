//! The glossary of the manual, for the page: the same entries, so that a word means the same in both.

use serde::Serialize;

/// `**Term, other spelling.** What it means.`, an entry a paragraph.
const TEXT: &str = include_str!("../../../../docs/glossary.md");

#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Entry {
    /// Its spellings, the first of which is its name.
    terms: Vec<String>,
    text: String,
}

pub(super) fn entries() -> Vec<Entry> {
    TEXT.split("\n\n").filter_map(entry).collect()
}

fn entry(paragraph: &str) -> Option<Entry> {
    let (terms, text) = paragraph.trim().strip_prefix("**")?.split_once(".**")?;
    let terms = terms.split(", ").map(str::to_owned).collect();
    Some(Entry { terms, text: unmarked(text) })
}

/// Without emphasis and links, in one line.
fn unmarked(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ").replace('*', "");
    let mut out = String::new();
    let mut rest = &*line;
    // `[words](page.md)` in brackets of its own says where to read more; of other links the words stay.
    while let Some((before, after)) = rest.split_once('[') {
        let Some((words, tail)) = after.split_once("](") else { break };
        let Some((_, tail)) = tail.split_once(')') else { break };
        match (before.strip_suffix(" ("), tail.strip_prefix(')')) {
            (Some(before), Some(tail)) => {
                out.push_str(before);
                rest = tail;
            }
            _ => {
                out.push_str(before);
                out.push_str(words);
                rest = tail;
            }
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_and_emphasis_are_left_out() {
        let text = "**Loop, lasso.** A *trace*\n([more](a.md)), and [this](b.md).";
        let terms = ["Loop", "lasso"].map(str::to_owned).to_vec();
        assert_eq!(entry(text), Some(Entry { terms, text: "A trace, and this.".to_owned() }));
        assert_eq!(entry("# Glossary"), None);
    }

    #[test]
    fn the_manual_has_entries() {
        let all = entries();
        assert!(all.len() > 20, "{}", all.len());
        assert!(all.iter().all(|entry| entry.text.ends_with('.') && !entry.text.contains(['[', '*'])));
        assert!(all.iter().any(|entry| entry.terms == ["Point of no return"]));
    }
}
