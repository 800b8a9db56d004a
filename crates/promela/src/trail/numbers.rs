//! SPIN's `.trail` files: three numbers a line, `step:process:statement`.
//!
//! Statements have the numbers that SPIN gives them when it reads the model (see
//! [`StmtKind::elements`](crate::resolve::StmtKind::elements)). Some lines with a negative first number are
//! about the trail itself:
//!
//! | line | meaning |
//! |---|---|
//! | `-4:-4:-4` | statements were merged |
//! | `-2:n:-2` | the claim that is the n-th proctype was checked, and is process 0 |
//! | `-1:-1:-1` | the loop begins here |
//! | `-5` to `-8` | the search was permuted |

use super::{Deed, Entry, Reason, Trail, Unreadable};

/// Whether the first line that is not empty is three numbers.
pub(super) fn looks_like(text: &str) -> bool {
    text.lines().find(|line| !line.trim().is_empty()).is_some_and(|line| three(line).is_some())
}

fn three(line: &str) -> Option<[i64; 3]> {
    let mut numbers = line.trim().split(':').map(str::parse);
    let mut next = || numbers.next()?.ok();
    let three = [next()?, next()?, next()?];
    numbers.next().is_none().then_some(three)
}

pub(super) fn read(text: &str) -> Result<Trail, Unreadable> {
    let mut trail = Trail::default();
    for (at, text) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let line = at + 1;
        let start = text.len() - text.trim_start().len();
        let after = |colons: usize| {
            let parts = text.split(':').take(colons).map(|part| part.len() + 1).sum::<usize>();
            parts.max(start)
        };
        let wrong = |offset: usize, reason| Unreadable { line, column: offset + 1, reason };
        let Some([depth, process, statement]) = three(text) else {
            return Err(wrong(start, Reason::NotThreeNumbers));
        };
        match depth {
            -1 if trail.cycle.is_some() => return Err(wrong(start, Reason::SecondLoop)),
            -1 => trail.cycle = Some(trail.entries.len()),
            -2 => {
                let claim = u32::try_from(process).map_err(|_| wrong(after(1), Reason::Process(process)))?;
                trail.claim = Some(claim);
            }
            -4 => trail.merged = true,
            -8..=-5 => return Err(wrong(start, Reason::Permuted)),
            ..0 => return Err(wrong(start, Reason::Header(depth))),
            0.. => {
                let is_claim = trail.claim.is_some() && process == 0;
                let own = process.saturating_sub(i64::from(trail.claim.is_some()));
                let number = u8::try_from(own).or(if is_claim { Ok(0) } else { Err(()) });
                let number = number.map_err(|()| wrong(after(1), Reason::Process(process)))?;
                let element = u32::try_from(statement);
                let element = element.map_err(|_| wrong(after(2), Reason::Statement(statement)))?;
                if !is_claim {
                    let deed = Deed::Element(element);
                    trail.entries.push(Entry { line, depth, process: number, deed });
                }
            }
        }
    }
    Ok(trail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_are_left_out_and_loops_marked() {
        let trail = read("-2:3:-2\n-4:-4:-4\n1:0:30\n2:2:10\n-1:-1:-1\n3:0:37\n4:1:11\n").unwrap();
        assert_eq!((trail.claim, trail.merged, trail.cycle), (Some(3), true, Some(1)));
        let entries: Vec<_> = trail.entries.iter().map(|entry| (entry.line, entry.process)).collect();
        assert_eq!(entries, [(4, 1), (7, 0)]);
        assert_eq!(trail.entries[0].deed, Deed::Element(10));
        let plain = read("1:0:4\r\n\n2:1:5").unwrap();
        assert_eq!((plain.merged, plain.entries.len(), plain.entries[1].line), (false, 2, 3));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        let told = |text: &str| read(text).unwrap_err().to_string();
        assert_eq!(
            told("1:0:4\n  2:x:4\n"),
            "line 2, column 3: expected three numbers `step:process:statement`"
        );
        assert_eq!(told("1:300:4"), "line 1, column 3: there is no process 300");
        assert_eq!(told("1:0:-4"), "line 1, column 5: there is no statement -4");
        assert_eq!(told("-1:-1:-1\n-1:-1:-1"), "line 2, column 1: the loop has begun before");
        assert!(told("-6:-6:-6").contains("permuted"));
        assert!(told("-3:-3:-3").contains("not a kind of line"));
        assert!(told("1:0:99999999999999999999").contains("three numbers"));
        assert!(!looks_like("1:2:3:4"));
        assert!(!looks_like("label"));
        assert!(looks_like("\n 1:2:3"));
    }
}
