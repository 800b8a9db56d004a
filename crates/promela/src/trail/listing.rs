//! The listing that `spin -t -p` makes of a trail, or `pan -r`.
//!
//! One line for each statement, in the midst of what the model prints, of values (`-g`, `-l`) and of remarks:
//!
//! ```text
//!   4:    proc  1 (R:1) model.pml:6 (state 1)    [c?z]
//! ```
//!
//! Everything else is passed over, but for the start of a loop, the end of a process and the name of the claim.
//! All that one step does, a `d_step` or merged statements, has the same number. The verifier itself (`pan -r`)
//! lists only the first of merged statements, and writes `(R)` where SPIN has `(R:1)`.

use super::{Deed, Entry, Listed, Trail};

/// Reads a listing; nothing if there is no line of one.
pub(super) fn read(text: &str) -> Option<Trail> {
    let mut trail = Trail::default();
    let mut is_listing = false;
    let mut failed = None;
    for (at, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.starts_with("spin: trail ends after") {
            is_listing = true;
            break;
        }
        if line.starts_with("spin: text of failed assertion") {
            failed = Some(trail.entries.len());
        }
        if line.contains("<<<<<START OF CYCLE>>>>>") {
            trail.cycle.get_or_insert(trail.entries.len());
            is_listing = true;
        } else if let Some(claim) = line.strip_prefix("starting claim ") {
            trail.claim = claim.trim().parse().ok();
        } else if let Some((entry, merged)) = entry(line, at + 1) {
            trail.merged |= merged;
            trail.entries.extend(entry);
            is_listing = true;
        }
    }
    if let Some(failed) = failed {
        // SPIN also goes on with what was merged with the assertion.
        let is_same = |entry: &Entry| trail.entries.get(failed).is_some_and(|at| at.depth == entry.depth);
        if trail.entries.iter().skip(failed).all(is_same) {
            trail.entries.truncate(failed + 1);
        }
    }
    is_listing.then_some(trail)
}

/// The entry of a line, none for the claim, and whether merged statements are left out behind it.
fn entry(text: &str, line: usize) -> Option<(Option<Entry>, bool)> {
    // What the model printed last may stand before it on the same line.
    let at = text.find(":\tproc ").or_else(|| text.find(": proc "))?;
    let digits = text[..at].bytes().rev().take_while(u8::is_ascii_digit).count();
    let depth = text[at - digits..at].parse().ok()?;
    let rest = text[at + ":\tproc ".len()..].trim_start();
    let (process, rest) = rest.split_once(char::is_whitespace)?;
    let is_claim = process == "-";
    let process = if is_claim { 0 } else { process.parse().ok()? };
    let rest = rest.trim_start();
    if rest.trim_end() == "terminates" {
        return Some((Some(Entry { line, depth, process, deed: Deed::End }), false));
    }
    let (name, rest) = rest.strip_prefix('(')?.split_once(") ")?;
    let (name, merged) = match name.rsplit_once(':') {
        Some((name, instance)) if !instance.is_empty() => (name, false),
        _ => (name, true),
    };
    let (place, rest) = rest.split_once(" (state ")?;
    let (state, rest) = rest.split_once(')')?;
    let state = state.trim().parse().ok()?;
    let statement = rest.split_once('[')?.1;
    let statement = statement.split("\t<merge ").next()?;
    let listed = Listed {
        name: name.to_owned(),
        line: place.rsplit_once(':')?.1.parse().ok()?,
        state,
        text: statement.trim_end().strip_suffix(']')?.to_owned(),
    };
    let entry = Entry { line, depth, process, deed: Deed::Listed(listed) };
    Some(((!is_claim).then_some(entry), merged))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LISTING: &str = "ltl q: [] (<> ((x==1)))
starting claim 3
Never claim moves to line 3	[(!((x==1)))]
  1:	proc  - (q:1) _spin_nvr.tmp:3 (state 3)	[(1)]
  2:	proc  1 (B:1) a:b.pml:3 (state 1)	[q?[1]]	<merge 6 now @3>
		x = 1
      hello 5  3:	proc  0 (:init::1) l.pml:3 (state 11)	[printf('hello %d',x)]
  <<<<<START OF CYCLE>>>>>
  4:	proc  0 (:init::1) l.pml:3 (state 12) <valid end state>	[x = 1]
  5: proc 1 terminates
spin: trail ends after 4 steps
#processes: 2
  4:	proc  1 (B:1) l.pml:3 (state 6)
";

    #[test]
    fn noise_is_passed_over() {
        let trail = read(LISTING).unwrap();
        assert_eq!((trail.claim, trail.merged, trail.cycle), (Some(3), false, Some(2)));
        let deeds: Vec<_> = trail.entries.iter().map(|entry| (entry.line, entry.process)).collect();
        assert_eq!(deeds, [(5, 1), (7, 0), (9, 0), (10, 1)]);
        let text = "q?[1]".to_owned();
        assert_eq!(
            trail.entries[0].deed,
            Deed::Listed(Listed { name: "B".to_owned(), line: 3, state: 1, text })
        );
        let Deed::Listed(second) = &trail.entries[2].deed else { panic!("no statement") };
        assert_eq!((second.name.as_str(), second.state), (":init:", 12));
        assert_eq!(trail.entries[3].deed, Deed::End);
    }

    #[test]
    fn a_failed_assertion_is_the_end() {
        let listed = |depth: u32, text: &str| format!("{depth}: proc 0 (A:1) a:1 (state 1) [{text}]\n");
        let failing = "spin: text of failed assertion: assert(0)\n".to_owned() + &listed(2, "assert(0)");
        let count = |text: String| read(&text).unwrap().entries.len();
        assert_eq!(count(listed(1, "x") + &failing + &listed(2, "y")), 2);
        assert_eq!(count(listed(1, "x") + &failing + &listed(3, "y")), 3, "another one may come");
    }

    #[test]
    fn other_texts_are_no_listings() {
        assert_eq!(read("PUT !1\nGET\n"), None);
        assert_eq!(read("1: proc 2\n"), None);
        assert_eq!(read("spin: trail ends after -4 steps\n"), Some(Trail::default()));
    }

    #[test]
    fn verifiers_leave_merged_statements_out() {
        let trail = read("  1:	proc  0 (A) a.pml:4 (state 1)	[y = 1]\n").unwrap();
        assert!(trail.merged);
    }
}
