//! Small changes, in words that fit behind "with".

use findings::{Mistake, SmallChange, TextChange};

/// A change of the text, such as "`<=` instead of `<`".
pub fn change(change: &TextChange) -> String {
    match change {
        TextChange::Instead { new, old } => format!("`{new}` instead of `{old}`"),
        TextChange::Without { part } => format!("no `{part}`"),
        TextChange::WithoutSign { operand } => format!("`{operand}` without its sign"),
        TextChange::Before { first, second } => format!("`{first}` before `{second}`"),
        TextChange::After { statement, other } => format!("`{statement}` after `{other}`"),
        TextChange::Exchanged { first, second } => format!("`{first}` and `{second}` exchanged"),
        TextChange::Moved { statement, is_before: true, other } => {
            format!("`{statement}` in front of `{other}`")
        }
        TextChange::Moved { statement, is_before: false, other } => format!("`{statement}` behind `{other}`"),
        TextChange::Under { first, last: None, what } => format!("`{first}` under `{what}`"),
        TextChange::Under { first, last: Some(last), what } => {
            format!("`{first}` to `{last}` under `{what}`")
        }
        TextChange::WaitingFor { statement, condition } => format!("`{statement}` waiting for `{condition}`"),
        TextChange::MadeAtomic { first, last } => format!("`{first}` to `{last}` made atomic"),
        TextChange::Added { statement: Some(statement) } => format!("`{statement}` added"),
        TextChange::Added { statement: None } => "a statement added".to_owned(),
        TextChange::Room { new, old } => format!("room for `{new}` instead of `{old}` messages"),
    }
}

/// A small change of one statement or two, with what stands there instead.
pub(super) fn small_change(small: &SmallChange, statements: &[String]) -> String {
    let kind = match small.also {
        None => mistake(small.mistake).to_owned(),
        Some(also) if also == small.mistake => format!("{} in both", mistake(also)),
        Some(also) => format!("{} and {}", mistake(also), mistake(small.mistake)),
    };
    match &small.instead {
        None => kind,
        // Its kind says that it is added.
        Some(TextChange::Added { statement: Some(statement) }) => format!("{kind}: `{statement}`"),
        // What the language fills in, such as a comparison with 0 or the value of a name, is not in the text.
        Some(TextChange::Instead { old, .. }) if !statements.iter().any(|text| has_token(text, old)) => kind,
        Some(instead) => format!("{kind}: {}", change(instead)),
    }
}

/// Whether a statement has an operator, a name or a number, and not as a part of a longer one.
fn has_token(statement: &str, token: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let is_operator = |c: char| "<>=!&|+-*/%^".contains(c);
    let continues = |next: Option<char>, own: Option<char>| match (next, own) {
        (Some(next), Some(own)) => (is_word(next) && is_word(own)) || (is_operator(next) && is_operator(own)),
        _ => false,
    };
    statement.match_indices(token).any(|(at, _)| {
        let (before, after) =
            (statement[..at].chars().next_back(), statement[at + token.len()..].chars().next());
        !continues(before, token.chars().next()) && !continues(after, token.chars().next_back())
    })
}

/// What takes a mistake back.
fn mistake(mistake: Mistake) -> &'static str {
    match mistake {
        Mistake::Operator => "another operator",
        Mistake::Negation => "the opposite condition",
        Mistake::NearConstant => "a constant one larger or smaller",
        Mistake::Constant => "another constant",
        Mistake::Variable => "another variable",
        Mistake::Step => "one more or one less",
        Mistake::Operand => "an operand left out, or two exchanged",
        Mistake::Removal => "leaving it out",
        Mistake::Term => "one operand more",
        Mistake::Guard => "one more condition",
        Mistake::Fixed => "a constant instead of a variable",
        Mistake::Target => "another target",
        Mistake::Insertion => "an assignment before or after it",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_small_changes_are_named_in_the_order_of_their_statements() {
        let statements = ["if (a < b)".to_owned()];
        let small = |also, instead| {
            small_change(&SmallChange { mistake: Mistake::Operator, also, instead }, &statements)
        };
        let hidden = TextChange::Instead { new: "<".to_owned(), old: "!=".to_owned() };
        assert_eq!(small(None, Some(hidden)), "another operator", "no such token stands in the text");
        let added = TextChange::Added { statement: Some("x = 1".to_owned()) };
        let instead = TextChange::Instead { new: "<=".to_owned(), old: "<".to_owned() };
        assert_eq!(small(None, Some(instead)), "another operator: `<=` instead of `<`");
        assert_eq!(small(None, Some(added)), "another operator: `x = 1`");
        assert_eq!(small(Some(Mistake::Operator), None), "another operator in both");
        assert_eq!(small(Some(Mistake::Step), None), "one more or one less and another operator");
    }
}
