//! Applying the patches with which faulty examples are mended.

use anyhow::{Context, Result, bail};

/// A piece of a patch: where it says it begins, what stands there and what is to stand there.
#[derive(Debug, Default)]
struct Hunk<'p> {
    start: usize,
    old: Vec<&'p str>,
    new: Vec<&'p str>,
}

/// The text after a patch as `diff -u` writes it. Lines above may have come or gone since it was written: each piece goes
/// to the nearest place that it fits.
pub(crate) fn apply(text: &str, patch: &str) -> Result<String> {
    let lines: Vec<&str> = text.split('\n').collect();
    let mut changed: Vec<&str> = Vec::new();
    let mut at = 0;
    for hunk in hunks(patch)? {
        let fits = |place: &usize| lines[*place..].starts_with(&hunk.old);
        let places = (at..=lines.len()).filter(fits);
        let Some(place) = places.min_by_key(|place| place.abs_diff(hunk.start)) else {
            bail!("what the patch changes is not there: `{}`", hunk.old.first().unwrap_or(&""));
        };
        changed.extend(&lines[at..place]);
        changed.extend(&hunk.new);
        at = place + hunk.old.len();
    }
    changed.extend(&lines[at..]);
    Ok(changed.join("\n"))
}

fn hunks(patch: &str) -> Result<Vec<Hunk<'_>>> {
    let mut found: Vec<Hunk<'_>> = Vec::new();
    for line in patch.lines() {
        if let Some(numbers) = line.strip_prefix("@@ -") {
            let start = numbers.split([',', ' ']).next().and_then(|number| number.parse::<usize>().ok());
            let start = start.with_context(|| format!("`{line}` is no hunk"))?.saturating_sub(1);
            found.push(Hunk { start, ..Hunk::default() });
            continue;
        }
        let Some(hunk) = found.last_mut() else { continue };
        let rest = line.get(1..).unwrap_or_default();
        match line.chars().next() {
            Some('+') => hunk.new.push(rest),
            Some('-') => hunk.old.push(rest),
            Some(' ') | None => {
                hunk.old.push(rest);
                hunk.new.push(rest);
            }
            Some('\\') => {}
            Some(_) => bail!("`{line}` is no line of a patch"),
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_patch_changes_what_it_says() {
        let text = "a\nb\nc\nd\n";
        let patch = "--- f\n+++ f\n@@ -2,2 +2,3 @@\n-b\n+x\n+y\n c\n";
        assert_eq!(apply(text, patch).ok().as_deref(), Some("a\nx\ny\nc\nd\n"));
        assert!(apply(text, "@@ -1,1 +1,1 @@\n-z\n+y\n").is_err());
        assert!(apply(text, "@@ -9,1 +1,1 @@\n-z\n").is_err());
        assert_eq!(apply(text, "@@ -1,2 +1,2 @@\n-c\n+z\n d\n").ok().as_deref(), Some("a\nb\nz\nd\n"));
    }
}
