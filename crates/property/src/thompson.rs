//! From a regular expression to an automaton (Thompson 1968).
//!
//! Every operator adds a constant number of states and silent moves, so the automaton is as large as
//! the expression; that a choice of a hundred thousand inside a star stays small is the reason not to
//! use Glushkov's construction, which needs no silent moves but quadratically many others.

use graph::Nfa;

use crate::{Regular, Repeat};

/// The automaton of an expression whose atoms are numbers of letter lists: the atom `n` reads any one
/// of `letters[n]`.
pub(crate) fn automaton(regular: &Regular<usize>, letters: &[Vec<u32>]) -> Nfa {
    let mut nfa = Nfa::default();
    let start = nfa.add_state();
    let end = append(&mut nfa, start, regular, letters);
    nfa.initial.push(start);
    nfa.accepting[end as usize] = true;
    nfa
}

/// Adds what reads `regular` from `start` on; returns where that ends. More may be appended to the
/// end, but nothing may lead back to `start` that was not there before.
fn append(nfa: &mut Nfa, start: u32, regular: &Regular<usize>, letters: &[Vec<u32>]) -> u32 {
    match regular {
        Regular::Atom(atom) => {
            let end = nfa.add_state();
            nfa.moves[start as usize].extend(letters[*atom].iter().map(|letter| (*letter, end)));
            end
        }
        Regular::Sequence(parts) => parts.iter().fold(start, |at, part| append(nfa, at, part, letters)),
        Regular::Choice(parts) => {
            let end = nfa.add_state();
            for part in parts {
                branch(nfa, start, part, letters, end);
            }
            end
        }
        Regular::Repeat(inner, Repeat::Optional) => {
            let end = nfa.add_state();
            branch(nfa, start, inner, letters, end);
            nfa.silent[start as usize].push(end);
            end
        }
        Regular::Repeat(inner, Repeat::Star) => {
            let hub = nfa.add_state();
            nfa.silent[start as usize].push(hub);
            let end = append(nfa, hub, inner, letters);
            nfa.silent[end as usize].push(hub);
            hub
        }
        Regular::Repeat(inner, Repeat::Plus) => {
            let hub = nfa.add_state();
            nfa.silent[start as usize].push(hub);
            let end = append(nfa, hub, inner, letters);
            nfa.silent[end as usize].push(hub);
            end
        }
    }
}

/// A way from `start` to `end` with a beginning of its own.
fn branch(nfa: &mut Nfa, start: u32, regular: &Regular<usize>, letters: &[Vec<u32>], end: u32) {
    let first = nfa.add_state();
    nfa.silent[start as usize].push(first);
    let last = append(nfa, first, regular, letters);
    nfa.silent[last as usize].push(end);
}
