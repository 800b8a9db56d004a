//! The manual as a book: every page is a chapter, and every link leads somewhere.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::support::documents::{files, pages};
use crate::support::workspace;

#[test]
fn every_page_is_a_chapter() {
    let docs = workspace().join("docs");
    let summary = std::fs::read_to_string(docs.join("SUMMARY.md")).unwrap();
    let chapters: Vec<String> = links(&summary);
    let named: BTreeSet<String> = chapters.iter().cloned().collect();
    assert_eq!(named.len(), chapters.len(), "a chapter is listed twice");
    let name = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
    let mut there: BTreeSet<String> = files(&docs, "md").iter().map(name).collect();
    assert!(there.remove("SUMMARY.md"));
    assert_eq!(named, there);
}

#[test]
fn every_link_leads_somewhere() {
    let root = workspace();
    let mut documents = pages();
    documents.push(root.join("ARCHITECTURE.md"));
    documents
        .extend(["promela", "c", "faults"].map(|name| root.join("examples").join(name).join("README.md")));
    documents.extend(["benches", "fuzz"].map(|name| root.join(name).join("README.md")));
    let (mut count, mut broken) = (0, Vec::new());
    for document in documents {
        for link in links(&std::fs::read_to_string(&document).unwrap()) {
            if link.contains("://") {
                continue;
            }
            count += 1;
            let (path, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target =
                if path.is_empty() { document.clone() } else { document.parent().unwrap().join(path) };
            if !target.exists() || (!anchor.is_empty() && !anchors(&target).contains(anchor)) {
                broken.push(format!("{}: {link}", document.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    assert!(count > 60, "{count}");
}

#[test]
fn every_picture_is_small_and_shown() {
    let pictures = files(&workspace().join("docs/pictures"), "png");
    assert!(!pictures.is_empty());
    let shown: String = pages().iter().map(|page| std::fs::read_to_string(page).unwrap()).collect();
    for picture in pictures {
        let name = picture.file_name().unwrap().to_string_lossy().into_owned();
        assert!(std::fs::metadata(&picture).unwrap().len() < 150_000, "{name}");
        assert!(shown.contains(&format!("pictures/{name})")), "{name} is nowhere shown");
    }
}

/// The lines of a document that are not inside of fenced or indented blocks.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut inside = false;
    text.lines().filter(move |line| {
        let fence = line.trim_start().starts_with("```");
        inside ^= fence;
        !inside && !fence && !line.starts_with("    ")
    })
}

/// Where the links of a document lead; what stands in backticks is none.
fn links(text: &str) -> Vec<String> {
    let lines: Vec<&str> = prose(text).collect();
    let plain: String = lines.join("\n").split('`').step_by(2).collect();
    let mut links = Vec::new();
    for part in plain.split("](").skip(1) {
        links.extend(part.split_once(')').map(|(target, _)| target.to_owned()));
    }
    links
}

/// The anchors of a page, as its headings make them.
fn anchors(page: &Path) -> BTreeSet<String> {
    let text = std::fs::read_to_string(page).unwrap();
    let headings = prose(&text).filter(|line| line.starts_with('#'));
    headings
        .map(|line| {
            let title = line.trim_start_matches('#').trim().to_lowercase();
            let kept = title.chars().filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
            kept.map(|c| if c == ' ' { '-' } else { c }).collect()
        })
        .collect()
}

#[test]
fn links_and_anchors_are_told_from_code() {
    let text = "see [a](b.md#c), `[not](this)` and [d](../e)\n```text\n[nor](that)\n```\n    [nor](these)\n";
    assert_eq!(links(text), ["b.md#c", "../e"]);
}
