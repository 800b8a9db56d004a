//! The statements of a text, as far as edits need them: what stands behind what, under which condition.
//!
//! In C a statement ends with a semicolon or a brace; in Promela statements are separated by semicolons, arrows or the ends of
//! lines, and stand in the options of `if` and `do`. Both become nodes in sequences. Nesting is followed to a depth that nobody
//! writes; what lies deeper has no nodes.

use crate::Language;
use crate::outline::Outline;

const DEEPEST: usize = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Simple,
    Declaration,
    /// `return`, `goto`, `break`, `continue`.
    Jump,
    /// Braces, with `atomic` or `d_step` before them or not.
    Block,
    If,
    Loop,
    Switch,
}

/// A statement: its tokens, both included.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) first: usize,
    pub(crate) last: usize,
    pub(crate) form: Form,
    /// The sequence it stands in, and where in it.
    pub(crate) sequence: usize,
    pub(crate) index: usize,
    /// The tokens of its condition, without parentheses.
    pub(crate) condition: Option<(usize, usize)>,
}

/// Statements that stand one behind the other.
#[derive(Clone, Debug)]
pub(crate) struct Sequence {
    /// The statement it is a part of; none for the body of a unit.
    pub(crate) owner: Option<usize>,
    /// Whether it is an option of Promela's `if` or `do`.
    pub(crate) is_option: bool,
    /// Whether another statement can be put into it.
    pub(crate) has_room: bool,
    pub(crate) items: Vec<usize>,
}

#[derive(Debug, Default)]
pub(crate) struct Tree {
    pub(crate) nodes: Vec<Node>,
    pub(crate) sequences: Vec<Sequence>,
}

impl Tree {
    pub(crate) fn new(outline: &Outline<'_>) -> Self {
        let mut parser = Parser { outline, tree: Self::default() };
        for unit in &outline.units {
            let body = parser.sequence(None, false, true);
            let (first, end) = (unit.body.0 + 1, unit.body.1);
            match outline.language {
                Language::C => parser.c_statements(first, end, body, 0),
                Language::Promela => parser.promela_steps(first, end, body, 0),
            }
        }
        parser.tree
    }

    /// The innermost statements that hold a token come last.
    pub(crate) fn holding(&self, token: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.nodes.len())
            .filter(move |node| self.nodes[*node].first <= token && token <= self.nodes[*node].last)
    }

    pub(crate) fn neighbour(&self, node: usize, distance: usize) -> Option<usize> {
        let Node { sequence, index, .. } = self.nodes[node];
        self.sequences[sequence].items.get(index + distance).copied()
    }
}

struct Parser<'o, 'a> {
    outline: &'o Outline<'a>,
    tree: Tree,
}

impl Parser<'_, '_> {
    fn sequence(&mut self, owner: Option<usize>, is_option: bool, has_room: bool) -> usize {
        self.tree.sequences.push(Sequence { owner, is_option, has_room, items: Vec::new() });
        self.tree.sequences.len() - 1
    }

    fn node(&mut self, first: usize, last: usize, form: Form, sequence: usize) -> usize {
        let number = self.tree.nodes.len();
        let index = self.tree.sequences[sequence].items.len();
        self.tree.nodes.push(Node { first, last, form, sequence, index, condition: None });
        self.tree.sequences[sequence].items.push(number);
        number
    }

    fn c_statements(&mut self, mut at: usize, end: usize, sequence: usize, depth: usize) {
        while at < end {
            match self.c_statement(at, end, sequence, depth) {
                Some(next) if next > at => at = next,
                _ => return,
            }
        }
    }

    /// A single statement as a branch or body; it has room for others only if it is a block.
    fn c_body(&mut self, at: usize, end: usize, owner: usize, depth: usize) -> Option<usize> {
        if self.outline.word(at) == "{" {
            let close = self.outline.closing(at)?;
            let inside = self.sequence(Some(owner), false, true);
            self.c_statements(at + 1, close, inside, depth + 1);
            return Some(close + 1);
        }
        let inside = self.sequence(Some(owner), false, false);
        self.c_statement(at, end, inside, depth + 1)
    }

    /// Reads the statement at `at`, which ends before `end`; returns what comes behind it.
    fn c_statement(&mut self, mut at: usize, end: usize, sequence: usize, depth: usize) -> Option<usize> {
        let outline = self.outline;
        if depth > DEEPEST {
            return None;
        }
        // Labels.
        loop {
            match outline.word(at) {
                "case" => at = (at..end).find(|at| outline.word(*at) == ":")? + 1,
                "default" => at += 2,
                _ if outline.kind(at) == Some(crate::token::TokenKind::Word)
                    && outline.word(at + 1) == ":" =>
                {
                    at += 2
                }
                _ => break,
            }
        }
        if at >= end {
            return Some(end);
        }
        let behind_condition = |at: usize| -> Option<usize> {
            (outline.word(at + 1) == "(").then(|| outline.closing(at + 1)).flatten()
        };
        match outline.word(at) {
            "{" => {
                let close = outline.closing(at)?;
                let node = self.node(at, close, Form::Block, sequence);
                let inside = self.sequence(Some(node), false, true);
                self.c_statements(at + 1, close, inside, depth + 1);
                Some(close + 1)
            }
            word @ ("if" | "while" | "for" | "switch") => {
                let close = behind_condition(at)?;
                let form = match word {
                    "if" => Form::If,
                    "switch" => Form::Switch,
                    _ => Form::Loop,
                };
                let node = self.node(at, close, form, sequence);
                let mut condition = (at + 2, close - 1);
                if word == "for" {
                    let part = |from: usize| (from..close).find(|at| outline.word(*at) == ";");
                    let first = part(at + 2)?;
                    condition = (first + 1, part(first + 1)?.checked_sub(1)?);
                }
                if condition.0 <= condition.1 {
                    self.tree.nodes[node].condition = Some(condition);
                }
                let mut next = self.c_body(close + 1, end, node, depth)?;
                if word == "if" && outline.word(next) == "else" {
                    next = self.c_body(next + 1, end, node, depth)?;
                }
                self.tree.nodes[node].last = next - 1;
                Some(next)
            }
            "do" => {
                let node = self.node(at, at, Form::Loop, sequence);
                let next = self.c_body(at + 1, end, node, depth)?;
                let close = behind_condition(next)?;
                self.tree.nodes[node].condition = Some((next + 2, close - 1));
                self.tree.nodes[node].last = close + 1;
                Some(close + 2)
            }
            word => {
                let mut last = at;
                while last < end && outline.word(last) != ";" {
                    last = outline.closing(last).unwrap_or(last) + 1;
                }
                if last >= end {
                    return None;
                }
                let form = match word {
                    "return" | "goto" | "break" | "continue" => Form::Jump,
                    _ if self.is_c_declaration(at) => Form::Declaration,
                    _ => Form::Simple,
                };
                self.node(at, last, form, sequence);
                Some(last + 1)
            }
        }
    }

    fn is_c_declaration(&self, at: usize) -> bool {
        use crate::token::TokenKind::Word;
        let outline = self.outline;
        let is_word = |at: usize| outline.kind(at) == Some(Word);
        if !is_word(at) {
            return false;
        }
        let stars = (at + 1..outline.len()).take_while(|at| outline.word(*at) == "*").count();
        let name = at + 1 + stars;
        // Two words in a row are a type and a name; so is a product that nobody looks at.
        is_word(name) && (stars == 0 || matches!(outline.word(name + 1), ";" | "=" | "," | "["))
    }

    fn promela_steps(&mut self, mut at: usize, end: usize, sequence: usize, depth: usize) {
        while at < end {
            match self.promela_step(at, end, sequence, depth) {
                Some(next) if next > at => at = next,
                _ => return,
            }
        }
    }

    fn promela_step(&mut self, at: usize, end: usize, sequence: usize, depth: usize) -> Option<usize> {
        let outline = self.outline;
        if depth > DEEPEST {
            return None;
        }
        match outline.word(at) {
            ";" | "->" | "unless" => Some(at + 1),
            _ if outline.kind(at) == Some(crate::token::TokenKind::Word) && outline.word(at + 1) == ":" => {
                Some(at + 2)
            }
            word @ ("if" | "do") => {
                let close = outline.closing(at)?;
                let form = if word == "if" { Form::If } else { Form::Loop };
                let node = self.node(at, close, form, sequence);
                let mut option = at + 1;
                while outline.word(option) == "::" && option < close {
                    let mut next = option + 1;
                    while next < close && outline.word(next) != "::" {
                        next = outline.closing(next).unwrap_or(next) + 1;
                    }
                    let inside = self.sequence(Some(node), true, true);
                    self.promela_steps(option + 1, next, inside, depth + 1);
                    option = next;
                }
                Some(close + 1)
            }
            "atomic" | "d_step" | "{" => {
                let open = if outline.word(at) == "{" { at } else { at + 1 };
                let close = outline.closing(open)?;
                let node = self.node(at, close, Form::Block, sequence);
                let inside = self.sequence(Some(node), false, true);
                self.promela_steps(open + 1, close, inside, depth + 1);
                Some(close + 1)
            }
            "for" => {
                let open = outline.closing(at + 1)? + 1;
                let close = outline.closing(open)?;
                let node = self.node(at, close, Form::Loop, sequence);
                let inside = self.sequence(Some(node), false, true);
                self.promela_steps(open + 1, close, inside, depth + 1);
                Some(close + 1)
            }
            word => {
                let mut next = at;
                while next < end
                    && !matches!(outline.word(next), ";" | "->" | "::" | "unless")
                    && !(next > at && self.is_behind_line_break(next))
                {
                    next = outline.closing(next).unwrap_or(next) + 1;
                }
                let form = match word {
                    "goto" | "break" => Form::Jump,
                    "bit" | "bool" | "byte" | "short" | "int" | "unsigned" | "mtype" | "chan" | "pid"
                    | "hidden" | "show" | "local" | "xr" | "xs" => Form::Declaration,
                    // A record: a type and a name.
                    _ if outline.kind(at) == Some(crate::token::TokenKind::Word)
                        && outline.kind(at + 1) == Some(crate::token::TokenKind::Word)
                        && !matches!(word, "run" | "printf" | "printm" | "else") =>
                    {
                        Form::Declaration
                    }
                    _ => Form::Simple,
                };
                self.node(at, next.min(end) - 1, form, sequence);
                Some(next)
            }
        }
    }

    /// Whether the end of a line separates a token from the one before it: where that can end a statement of Promela, no
    /// semicolon is needed.
    fn is_behind_line_break(&self, at: usize) -> bool {
        use crate::token::TokenKind;
        let outline = self.outline;
        let can_end = match outline.kind(at - 1) {
            Some(TokenKind::Word) => !matches!(outline.word(at - 1), "run" | "goto" | "of"),
            Some(TokenKind::Number) => true,
            Some(TokenKind::Sign) => matches!(outline.word(at - 1), ")" | "]" | "}" | "++" | "--"),
            Some(TokenKind::Quoted) | None => false,
        };
        can_end && outline.line(at) > outline.line(at - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn statements(text: &str) -> Vec<&str> {
        let outline = Outline::new(text, Language::Promela);
        let tree = Tree::new(&outline);
        tree.nodes.iter().map(|node| outline.slice(node.first, node.last)).collect()
    }

    #[test]
    fn lines_end_statements_of_promela_where_they_can() {
        let text = "init {\n x = 1\n y = (2 +\n 3) +\n 4\n c!m,\n n // more\n if\n :: a\n -> b++\n :: else\n fi\n d\n}\n";
        let found = statements(text);
        let simple: Vec<&str> = found.into_iter().filter(|one| !one.starts_with("if")).collect();
        assert_eq!(simple, ["x = 1", "y = (2 +\n 3) +\n 4", "c!m,\n n", "a", "b++", "else", "d"]);
    }
}
