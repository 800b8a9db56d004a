//! Applying the patches with which faulty examples are mended.

use anyhow::{Context, Result, bail};

/// The text after a patch as `diff -u` writes it; its lines must be where it says.
pub(crate) fn apply(text: &str, patch: &str) -> Result<String> {
    let old: Vec<&str> = text.split('\n').collect();
    let mut new: Vec<&str> = Vec::new();
    let mut at = 0;
    let mut inside = false;
    for line in patch.lines() {
        if let Some(hunk) = line.strip_prefix("@@ -") {
            let start: usize = hunk
                .split([',', ' '])
                .next()
                .and_then(|number| number.parse().ok())
                .with_context(|| format!("`{line}` is no hunk"))?;
            let start = start.max(1) - 1;
            if start < at || start > old.len() {
                bail!("`{line}` does not fit the text");
            }
            new.extend(&old[at..start]);
            (at, inside) = (start, true);
            continue;
        }
        if !inside {
            continue;
        }
        let (sign, rest) = (line.chars().next().unwrap_or(' '), line.get(1..).unwrap_or_default());
        match sign {
            '+' => new.push(rest),
            '-' | ' ' => {
                if old.get(at) != Some(&rest) {
                    bail!("the text has another line {} than the patch: `{rest}`", at + 1);
                }
                if sign == ' ' {
                    new.push(rest);
                }
                at += 1;
            }
            '\\' => {}
            _ => bail!("`{line}` is no line of a patch"),
        }
    }
    new.extend(&old[at..]);
    Ok(new.join("\n"))
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
    }
}
