//! A condition that was found false, part by part: which of its operands made it so, and by which values.

/// A part of a condition, and what it is worth where the condition is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConditionPart {
    pub text: String,
    /// The part that it is an operand of, by its place in the list.
    pub parent: Option<usize>,
    pub worth: Worth,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Worth {
    Truth(bool),
    /// Of an operand that is no condition itself.
    Value(String),
    /// What stands before it has decided already, or it has no value.
    Unasked,
}

/// Collects the parts of a condition from the whole down to its operands.
#[derive(Debug, Default)]
pub struct ConditionParts(Vec<ConditionPart>);

impl ConditionParts {
    /// How many parts are told; an assertion with more says nothing to anybody.
    const MOST: usize = 64;

    /// The place of the new part, for its operands; nothing if there are too many.
    pub fn add(&mut self, parent: Option<usize>, text: impl Into<String>, worth: Worth) -> Option<usize> {
        if self.0.len() == Self::MOST {
            return None;
        }
        self.0.push(ConditionPart { text: text.into(), parent, worth });
        Some(self.0.len() - 1)
    }

    /// Operands before what they belong to, so that the whole comes last.
    pub fn finish(self) -> Vec<ConditionPart> {
        let last = self.0.len().saturating_sub(1);
        let turned = self.0.into_iter().rev();
        turned.map(|part| ConditionPart { parent: part.parent.map(|at| last - at), ..part }).collect()
    }
}

/// The parts that make the condition what it is, from the whole down to the smallest: of a conjunction that is false
/// the operands that are false.
pub fn deciding(parts: &[ConditionPart]) -> Vec<usize> {
    let mut found: Vec<usize> = parts.len().checked_sub(1).into_iter().collect();
    let mut next = 0;
    while let Some(at) = found.get(next).copied() {
        next += 1;
        let operands: Vec<usize> =
            operands(parts, at).filter(|operand| matches!(parts[*operand].worth, Worth::Truth(_))).collect();
        let alike = operands.iter().copied().filter(|operand| parts[*operand].worth == parts[at].worth);
        let before = found.len();
        found.extend(alike);
        if found.len() == before {
            found.extend(operands);
        }
    }
    found
}

/// What makes the condition what it is, in a sentence: "`b <= c` is false: b is 1, c is 0".
pub fn because(parts: &[ConditionPart]) -> Option<String> {
    const MOST: usize = 3;
    let found = deciding(parts);
    let is_smallest = |at: &usize| !found.iter().any(|other| parts[*other].parent == Some(*at));
    let smallest: Vec<usize> = found.iter().copied().filter(is_smallest).collect();
    let told: Vec<String> = smallest.iter().take(MOST).map(|at| sentence(parts, *at)).collect();
    let more = if smallest.len() > MOST { ", and more" } else { "" };
    (!told.is_empty()).then(|| format!("{}{more}", told.join("; ")))
}

/// What one part is worth, and by which values.
pub fn sentence(parts: &[ConditionPart], at: usize) -> String {
    let ConditionPart { text, worth, .. } = &parts[at];
    let worth = match worth {
        Worth::Truth(true) => "true",
        Worth::Truth(false) => "false",
        Worth::Value(value) => value,
        Worth::Unasked => "not asked",
    };
    let mut values: Vec<String> = Vec::new();
    for operand in operands(parts, at) {
        if let Worth::Value(value) = &parts[operand].worth {
            let told = format!("{} is {value}", parts[operand].text);
            if !values.contains(&told) {
                values.push(told);
            }
        }
    }
    let colon = if values.is_empty() { "" } else { ": " };
    format!("`{text}` is {worth}{colon}{}", values.join(", "))
}

/// In the order of the text.
fn operands(parts: &[ConditionPart], of: usize) -> impl Iterator<Item = usize> + '_ {
    (0..of).rev().filter(move |at| parts[*at].parent == Some(of))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(value: &str) -> Worth {
        Worth::Value(value.to_owned())
    }

    #[test]
    fn the_false_operands_of_a_conjunction_are_the_reason() {
        let mut parts = ConditionParts::default();
        let whole = parts.add(None, "a < b && b < c && !d", Worth::Truth(false));
        let first = parts.add(whole, "a < b", Worth::Truth(true));
        parts.add(first, "a", value("1"));
        let second = parts.add(whole, "b < c", Worth::Truth(false));
        parts.add(second, "b", value("3"));
        parts.add(second, "c", value("2"));
        parts.add(whole, "!d", Worth::Unasked);
        let parts = parts.finish();
        assert_eq!(
            parts.last().map(|part| (part.text.as_str(), part.parent)),
            Some(("a < b && b < c && !d", None))
        );
        assert!(parts.iter().enumerate().all(|(at, part)| part.parent.is_none_or(|parent| parent > at)));
        assert_eq!(because(&parts).as_deref(), Some("`b < c` is false: b is 3, c is 2"));
        let texts: Vec<&str> = deciding(&parts).into_iter().map(|at| parts[at].text.as_str()).collect();
        assert_eq!(texts, ["a < b && b < c && !d", "b < c"]);
    }

    #[test]
    fn a_disjunction_needs_all_and_a_negation_the_opposite() {
        let mut parts = ConditionParts::default();
        let whole = parts.add(None, "!(a || b)", Worth::Truth(false));
        let either = parts.add(whole, "a || b", Worth::Truth(true));
        parts.add(either, "a", Worth::Truth(false));
        parts.add(either, "b", Worth::Truth(true));
        assert_eq!(because(&parts.finish()).as_deref(), Some("`b` is true"));
        let mut parts = ConditionParts::default();
        let whole = parts.add(None, "a || b", Worth::Truth(false));
        parts.add(whole, "a", Worth::Truth(false));
        parts.add(whole, "b", Worth::Truth(false));
        assert_eq!(because(&parts.finish()).as_deref(), Some("`a` is false; `b` is false"));
        assert_eq!(because(&[]), None);
    }

    #[test]
    fn there_is_an_end_to_it() {
        let mut parts = ConditionParts::default();
        let whole = parts.add(None, "all", Worth::Truth(false));
        assert_eq!((0..100).filter(|_| parts.add(whole, "x", Worth::Truth(false)).is_some()).count(), 63);
        assert!(because(&parts.finish()).is_some_and(|words| words.ends_with(", and more")));
    }
}
