//! Gates over literals, each written to the solver once.
//!
//! A gate is a new variable with the clauses that say what it is (Tseitin 1968), both directions, because nobody
//! knows beforehand which way it will be asked. Gates whose inputs are constants, equal or opposite are folded
//! away, and a gate that was built before is found again (structural hashing), with its inputs in one order and
//! its negations pulled to the output, so that equal formulas become equal literals.

mod arithmetic;
mod arrays;
mod bitwise;
mod compare;
mod division;
mod pointers;
mod shift;

use rustc_hash::FxHashMap;

use self::pointers::PointerTable;
use crate::solver::{Literal, Solver};

/// The inputs of a gate in their one order; of the last kind there can be any number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Gate {
    And(Literal, Literal),
    Xor(Literal, Literal),
    Choose(Literal, Literal, Literal),
    Majority(Literal, Literal, Literal),
}

/// A solver, and the gates in it.
#[derive(Debug)]
pub struct Circuit<'w> {
    pub solver: Solver<'w>,
    gates: FxHashMap<Gate, Literal>,
    conjunctions: FxHashMap<Box<[Literal]>, Literal>,
    /// Which vectors are known as pointers.
    pub(crate) pointers: PointerTable,
}

impl<'w> Circuit<'w> {
    pub fn new(solver: Solver<'w>) -> Self {
        Self {
            solver,
            gates: FxHashMap::default(),
            conjunctions: FxHashMap::default(),
            pointers: PointerTable::default(),
        }
    }

    /// In every model from now on.
    pub fn assert(&mut self, literal: Literal) {
        self.solver.clause(&[literal]);
    }

    pub fn and(&mut self, one: Literal, other: Literal) -> Literal {
        let (one, other) = if one <= other { (one, other) } else { (other, one) };
        match (one, other) {
            // The constants come first in the order.
            (Literal::TRUE, other) => return other,
            (Literal::FALSE, _) => return Literal::FALSE,
            _ if one == other => return one,
            _ if one == !other => return Literal::FALSE,
            _ => {}
        }
        self.gate(Gate::And(one, other), |solver, gate| {
            solver.clause(&[!gate, one]);
            solver.clause(&[!gate, other]);
            solver.clause(&[gate, !one, !other]);
        })
    }

    pub fn or(&mut self, one: Literal, other: Literal) -> Literal {
        !self.and(!one, !other)
    }

    /// False only if `one` is true and `other` is not.
    pub fn implies(&mut self, one: Literal, other: Literal) -> Literal {
        !self.and(one, !other)
    }

    pub fn xor(&mut self, one: Literal, other: Literal) -> Literal {
        let flip = one.is_negative() != other.is_negative();
        let (one, other) = (one.flipped(one.is_negative()), other.flipped(other.is_negative()));
        let (one, other) = if one <= other { (one, other) } else { (other, one) };
        if one == other {
            return Literal::constant(flip);
        }
        if one == Literal::TRUE {
            return other.flipped(!flip);
        }
        let gate = self.gate(Gate::Xor(one, other), |solver, gate| {
            solver.clause(&[!gate, one, other]);
            solver.clause(&[!gate, !one, !other]);
            solver.clause(&[gate, !one, other]);
            solver.clause(&[gate, one, !other]);
        });
        gate.flipped(flip)
    }

    pub fn same(&mut self, one: Literal, other: Literal) -> Literal {
        !self.xor(one, other)
    }

    /// `yes` where the condition is true, else `no`.
    pub fn choose(&mut self, condition: Literal, yes: Literal, no: Literal) -> Literal {
        let (condition, yes, no) =
            if condition.is_negative() { (!condition, no, yes) } else { (condition, yes, no) };
        if condition == Literal::TRUE || yes == no {
            return yes;
        }
        if yes == !no {
            return self.same(condition, yes);
        }
        if yes == condition || yes == Literal::TRUE {
            return self.or(condition, no);
        }
        if yes == !condition || yes == Literal::FALSE {
            return self.and(!condition, no);
        }
        if no == condition || no == Literal::FALSE {
            return self.and(condition, yes);
        }
        if no == !condition || no == Literal::TRUE {
            return self.or(!condition, yes);
        }
        let flip = yes.is_negative();
        let (yes, no) = (yes.flipped(flip), no.flipped(flip));
        let gate = self.gate(Gate::Choose(condition, yes, no), |solver, gate| {
            solver.clause(&[!condition, !yes, gate]);
            solver.clause(&[!condition, yes, !gate]);
            solver.clause(&[condition, !no, gate]);
            solver.clause(&[condition, no, !gate]);
            // What both branches say holds before the condition is known.
            solver.clause(&[!yes, !no, gate]);
            solver.clause(&[yes, no, !gate]);
        });
        gate.flipped(flip)
    }

    /// True if at least two of the three are: the carry of a full adder.
    pub fn majority(&mut self, one: Literal, two: Literal, three: Literal) -> Literal {
        let mut inputs = [one, two, three];
        inputs.sort_unstable();
        let [one, two, three] = inputs;
        // Equal and opposite literals are neighbours in the order.
        if one == two || two == three {
            return two;
        }
        if one == !two {
            return three;
        }
        if two == !three {
            return one;
        }
        match one {
            Literal::TRUE => return self.or(two, three),
            Literal::FALSE => return self.and(two, three),
            _ => {}
        }
        // The majority of the negations is the negation of the majority.
        let flip = one.is_negative();
        let [one, two, three] = inputs.map(|input| input.flipped(flip));
        let gate = self.gate(Gate::Majority(one, two, three), |solver, gate| {
            for (one, other) in [(one, two), (one, three), (two, three)] {
                solver.clause(&[!one, !other, gate]);
                solver.clause(&[one, other, !gate]);
            }
        });
        gate.flipped(flip)
    }

    /// True if all are; of none, true.
    pub fn all(&mut self, literals: impl IntoIterator<Item = Literal>) -> Literal {
        let mut inputs: Vec<Literal> = literals.into_iter().filter(|input| *input != Literal::TRUE).collect();
        inputs.sort_unstable();
        inputs.dedup();
        if inputs.first() == Some(&Literal::FALSE) || inputs.windows(2).any(|pair| pair[0] == !pair[1]) {
            return Literal::FALSE;
        }
        match inputs[..] {
            [] => return Literal::TRUE,
            [one] => return one,
            [one, other] => return self.and(one, other),
            _ => {}
        }
        if let Some(gate) = self.conjunctions.get(&inputs[..]) {
            return *gate;
        }
        let gate = self.solver.fresh();
        for input in &inputs {
            self.solver.clause(&[!gate, *input]);
        }
        let mut long: Vec<Literal> = inputs.iter().map(|input| !*input).collect();
        long.push(gate);
        self.solver.clause(&long);
        self.conjunctions.insert(inputs.into(), gate);
        gate
    }

    /// True if any is; of none, false.
    pub fn any(&mut self, literals: impl IntoIterator<Item = Literal>) -> Literal {
        !self.all(literals.into_iter().map(|literal| !literal))
    }

    fn gate(&mut self, gate: Gate, define: impl FnOnce(&mut Solver<'w>, Literal)) -> Literal {
        if let Some(output) = self.gates.get(&gate) {
            return *output;
        }
        let output = self.solver.fresh();
        define(&mut self.solver, output);
        self.gates.insert(gate, output);
        output
    }
}
