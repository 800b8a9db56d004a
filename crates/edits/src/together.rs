//! What is set together everywhere else: where two variables get constants side by side in several places, and in one
//! place only one of them does, the other one may have been forgotten.

use crate::candidate::{CandidateList, Operator};
use crate::outline::Outline;
use crate::specification::is_checked;
use crate::statements::{bare, insert_as, is_sacred};
use crate::token::TokenKind;
use crate::tree::{Form, Node};

/// How many statements a text may have that set constants. More of them make tables.
const MOST: usize = 200;

/// An assignment of a constant, by its text.
#[derive(Clone, Copy)]
struct Setting<'o, 'a> {
    node: &'o Node,
    text: &'a str,
    /// What is set.
    target: &'a str,
}

/// Puts such assignments to where they may be missing. What stands beside it in two places or more is known to belong
/// together.
pub(crate) fn set_together(found: &mut CandidateList<'_, '_>) {
    let outline = found.outline;
    let all: Vec<Setting<'_, '_>> =
        outline.tree.nodes.iter().filter_map(|node| setting(outline, node)).collect();
    if all.len() > MOST {
        return;
    }
    for alone in &all {
        let beside = |other: &Setting<'_, '_>, target: &str| {
            let sequence = &outline.tree.sequences[other.node.sequence];
            let inside = |node: &Node| {
                (node.first..=node.last)
                    .any(|at| outline.slice(at, at + target_length(outline, at)) == target)
            };
            sequence.items.iter().any(|item| inside(&outline.tree.nodes[*item]))
        };
        let mut partners: Vec<&str> = Vec::new();
        for other in all.iter().filter(|other| other.target != alone.target) {
            if !partners.contains(&other.text) && !beside(alone, other.target) {
                partners.push(other.text);
            }
        }
        for partner in partners {
            let together = all.iter().filter(|other| {
                other.target == alone.target
                    && other.node.sequence != alone.node.sequence
                    && all
                        .iter()
                        .any(|third| third.text == partner && third.node.sequence == other.node.sequence)
            });
            match together.count() {
                0 => {}
                1 => insert_as(found, Operator::Reset, alone.node, partner),
                _ => insert_as(found, Operator::Forgotten, alone.node, partner),
            }
        }
    }
}

/// How many tokens follow the one at which a path begins.
fn target_length(outline: &Outline<'_>, at: usize) -> usize {
    let is_part =
        |at: &usize| outline.kind(*at) == Some(TokenKind::Word) || matches!(outline.word(*at), "." | "->");
    (at + 1..outline.len()).take_while(is_part).count()
}

/// The assignment of a constant that a statement is, unless it sets what the program is checked for.
fn setting<'o, 'a>(outline: &'o Outline<'a>, node: &'o Node) -> Option<Setting<'o, 'a>> {
    let sign = node.first + target_length(outline, node.first) + 1;
    let is_constant = outline.kind(sign + 1) == Some(TokenKind::Number)
        || matches!(outline.word(sign + 1), "true" | "false" | "NULL")
        || outline.meaning(sign + 1).is_some_and(|meant| meant.is_constant);
    let text = bare(outline, node);
    let ends = outline.slice(node.first, sign + 1) == text;
    let last = outline.word(sign - 1);
    let fits = node.form == Form::Simple && outline.word(sign) == "=" && is_constant && ends;
    (fits && !is_sacred(outline, node) && !is_checked(outline, last)).then(|| Setting {
        node,
        text,
        target: outline.slice(node.first, sign - 1),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Language;
    use crate::candidate::told;

    #[test]
    fn what_is_reset_with_another_one_elsewhere_is_put_beside_it() {
        let text = "struct p { int sum, length, state; };\n\
                    void init(struct p *p) {\n p->sum = 0;\n p->length = 0;\n}\n\
                    void end(struct p *p) {\n p->sum = 0;\n p->length = 0;\n p->state = 1;\n}\n\
                    void feed(struct p *p, int c) {\n if (c == 3) {\n  p->length = 0;\n  return;\n }\n p->sum += c;\n}\n";
        let made = told(text, Language::C, set_together);
        assert_eq!(
            made,
            [
                "`p->state = 1` before `p->sum = 0`",
                "`p->state = 1` after `p->sum = 0`",
                "`p->state = 1` before `p->length = 0`",
                "`p->state = 1` after `p->length = 0`",
                "`p->sum = 0` before `p->length = 0`",
                "`p->sum = 0` after `p->length = 0`",
                "`p->state = 1` before `p->length = 0`",
                "`p->state = 1` after `p->length = 0`",
            ]
        );
    }
}
