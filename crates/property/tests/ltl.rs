//! Temporal formulas and their automata.

mod ltl {
    mod classes;
    mod limits;
    mod shapes;
    mod stutter;
    mod support;
    mod words;
}
