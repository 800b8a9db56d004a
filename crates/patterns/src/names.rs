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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_do_not_count() {
        assert_eq!(base("account[2].locked"), "account[].locked");
        assert_eq!(base("a[b[1]].c[0]"), "a[].c[]");
        assert_eq!(base("heap12.lock"), "heap.lock");
        assert_eq!(base("x1"), "x1");
    }
}
