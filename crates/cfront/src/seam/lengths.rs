//! Lengths of arrays that the text spells with variables whose value nothing ever changes: `int n = 5; int a[n];`.

use rucc_sema::{Const, DeclId, DeclKind, ExprId as Theirs, ExprKind as Kind};

use super::lower::Lower;

/// Longer arrays are not what is meant.
const LONGEST: i128 = 1 << 24;
/// How deep the values of such variables may lead to others.
const DEEPEST: u8 = 16;

impl Lower<'_> {
    /// The length that an expression has in every run, if it is a good one.
    pub(super) fn settled_length(&self, length: Theirs) -> Option<u64> {
        let value = self.settled(length, DEEPEST)?;
        (1..=LONGEST).contains(&value).then_some(value as u64)
    }

    fn settled(&self, id: Theirs, depth: u8) -> Option<i128> {
        let depth = depth.checked_sub(1)?;
        match self.tast[id].kind {
            Kind::Const(value) => match self.tast[value] {
                Const::Int(value) => Some(value),
                _ => None,
            },
            // What is as small as a length is the same in every type.
            Kind::Cast(operand) | Kind::Convert { operand, .. } => {
                self.settled(operand, depth).filter(|value| (0..=127).contains(value) || self.is_wide(id))
            }
            Kind::Binary { op, lhs, rhs } => {
                let (left, right) = (self.settled(lhs, depth)?, self.settled(rhs, depth)?);
                match op {
                    rucc_ast::BinaryOp::Add => left.checked_add(right),
                    rucc_ast::BinaryOp::Sub => left.checked_sub(right),
                    rucc_ast::BinaryOp::Mul => left.checked_mul(right),
                    _ => None,
                }
                .filter(|value| (0..=LONGEST).contains(value))
            }
            Kind::Decl(decl) => self.settled_variable(decl, depth),
            _ => None,
        }
    }

    fn is_wide(&self, id: Theirs) -> bool {
        let layout = rucc_types::layout(self.types, self.tast[id].ty, self.target);
        layout.is_ok_and(|layout| layout.size >= 4)
    }

    /// The value of a variable that has one from its declaration on, and nowhere another.
    fn settled_variable(&self, id: DeclId, depth: u8) -> Option<i128> {
        let decl = &self.tast[id];
        let list = decl.init.filter(|_| decl.kind == DeclKind::Object)?;
        let [only] = &self.tast[list] else { return None };
        let value = self.settled(only.value, depth)?;
        is_set_once(self.text, &self.name(decl.name?)).then_some(value)
    }
}

/// Whether a name is given a value in one place of the text, be it by whatever variable has it, and never else changed.
fn is_set_once(text: &str, name: &str) -> bool {
    let is_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || !letter.is_ascii();
    let mut set = 0;
    for (at, _) in text.match_indices(name) {
        let (before, behind) = (text[..at].trim_end(), text[at + name.len()..].trim_start());
        let is_part = text[..at].ends_with(is_word) || text[at + name.len()..].starts_with(is_word);
        let is_member = before.ends_with('.') || before.ends_with("->");
        if is_part || is_member {
            continue;
        }
        let address = before.ends_with('&') && !before.ends_with("&&");
        let steps = |text: &str, side: fn(&str, &str) -> bool| side(text, "++") || side(text, "--");
        let compound = ["+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="];
        if address
            || steps(before, |text, sign| text.ends_with(sign))
            || steps(behind, |text, sign| text.starts_with(sign))
            || compound.iter().any(|sign| behind.starts_with(sign))
            // `(n) = 1`
            || behind.starts_with(')') && behind[1..].trim_start().starts_with('=')
                && !behind[1..].trim_start().starts_with("==")
        {
            return false;
        }
        set += u8::from(behind.starts_with('=') && !behind.starts_with("=="));
        if set > 1 {
            return false;
        }
    }
    set == 1
}

#[cfg(test)]
mod tests {
    use super::is_set_once;

    #[test]
    fn what_changes_anywhere_is_not_settled() {
        assert!(is_set_once("int n = 5; int an = 1; s.n = 3; p->n++; if (n == 5 && n <= 6) f(n);", "n"));
        for change in ["n = 6", "n++", "--n", "n += 1", "n <<= 1", "f(&n)", "(n) = 2", "n\n= 2", "& n"] {
            assert!(!is_set_once(&format!("int n = 5; {change};"), "n"), "{change}");
        }
        assert!(!is_set_once("int n; f(n);", "n"));
    }
}
