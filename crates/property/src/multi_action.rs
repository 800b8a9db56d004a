//! Multi-actions of mCRL2: several actions at the same time, in no order.
//!
//! `a(1, 2)|b` and `b|a(1,2)` are the same multi-action, so both are brought to one normal form: the
//! actions without superfluous blanks, sorted. Any label has a normal form, whether it comes from
//! mCRL2 or not.

use crate::unquoted::{squeeze, with_outside};

pub(crate) fn normal_form(label: &str) -> Vec<String> {
    let mut actions = Vec::new();
    let mut start = 0;
    for (at, char, outside) in with_outside(label) {
        if outside && char == '|' {
            actions.push(squeeze(&label[start..at]));
            start = at + 1;
        }
    }
    actions.push(squeeze(&label[start..]));
    actions.sort_unstable();
    actions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_and_blanks_do_not_matter() {
        assert_eq!(normal_form("b | a( 1,2)"), normal_form("a(1, 2)|b"));
        assert_eq!(normal_form("a"), ["a"]);
        assert_eq!(normal_form("a|a"), ["a", "a"]);
        assert_eq!(normal_form("a({x: Nat | x > 1})|b"), ["a({x:Nat|x>1})", "b"]);
    }
}
