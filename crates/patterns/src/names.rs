//! Names of variables, and what they have in common.

/// A name without its indices, and without the numbers of objects on the heap: `account[2].locked` and
/// `account[0].locked` are the same variable of two accounts.
pub(crate) fn base(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut depth = 0u32;
    for c in name.chars() {
        match c {
            '[' => {
                depth += 1;
                if depth == 1 {
                    out.push('[');
                }
            }
            ']' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    out.push(']');
                }
            }
            _ if depth > 0 => {}
            c if c.is_ascii_digit() && (out == "heap" || out == "object") => {}
            c => out.push(c),
        }
    }
    out
}

/// The indices of a name, as they stand there: `[2]` of `account[2].locked`.
pub(crate) fn indices(name: &str) -> String {
    let mut depth = 0u32;
    let mut out = String::new();
    for c in name.chars() {
        depth += u32::from(c == '[');
        if depth > 0 {
            out.push(c);
        }
        depth = depth.saturating_sub(u32::from(c == ']'));
    }
    out
}

/// What a variable belongs to: the process, call or record before its first dot; nothing for what stands by itself.
pub(crate) fn owner(name: &str) -> &str {
    name.split_once('.').map_or("", |(owner, _)| owner)
}

/// Words that people use for locks, and for what is done to them.
const OF_LOCKS: [&str; 10] =
    ["lock", "mutex", "semaphore", "busy", "held", "taken", "owner", "acquire", "release", "latch"];

/// Whether a name is one that people give to locks.
pub(crate) fn is_of_lock(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    OF_LOCKS.iter().any(|word| name.contains(word)) && !name.contains("block") && !name.contains("clock")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_do_not_count() {
        assert_eq!(base("account[2].locked"), "account[].locked");
        assert_eq!(base("a[b[1]].c[0]"), "a[].c[]");
        assert_eq!(base("heap12.lock"), "heap.lock");
        assert_eq!(base("x1"), "x1");
        assert_eq!([indices("account[2].locked"), indices("a[b[1]].c[0]")], ["[2]", "[b[1]][0]"]);
    }

    #[test]
    fn members_and_locals_have_an_owner() {
        assert_eq!([owner("P:0.n"), owner("a.x.y"), owner("x")], ["P:0", "a", ""]);
    }

    #[test]
    fn locks_are_known_by_what_they_are_called() {
        assert!(is_of_lock("d.lock") && is_of_lock("LOCK") && is_of_lock("disk_busy"));
        assert!(!is_of_lock("clock") && !is_of_lock("blocked") && !is_of_lock("door"));
    }
}
