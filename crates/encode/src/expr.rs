//! Expressions of the model as circuits with the evaluator's meaning.
//!
//! What the evaluator computes in 64 bits is computed here in as few as the values need (see [`Value`]) and as many
//! as somebody looks at: wrapping to 32 bits tells the sums and products below that only 32 matter. Where the
//! evaluator stops with a fault, the circuit goes on with some number, and a [`Condition`] says that this does
//! not happen; whoever asked asserts it, denies it, or lets it go. Operands that the evaluator does not look at
//! have no faults.

use model::{Expr, Place, Scalar};

use crate::bits::WIDEST;
use crate::circuit::Circuit;
use crate::solver::Literal;
use crate::value::needed;

mod operators;
mod places;
mod primitives;

pub use crate::value::Value;
pub use places::Cell;

/// Why an expression cannot be encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EncodeError {
    TooDeep,
    /// A place is one of more than so many elements.
    TooManyElements(u64),
    /// Nothing lies there.
    Outside {
        frame: u32,
        offset: u32,
    },
    /// A question to the machine that no formula answers.
    Question(u32),
    /// Memory behind pointers.
    Pointer,
    /// Floating-point arithmetic, or an array of unknown length.
    Primitive(model::Primitive),
}

/// What must be so for the evaluator not to stop with a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// A divisor is not 0.
    Divisor,
    /// An index lies inside its array.
    Index { length: u32 },
    /// A process exists.
    Process,
    /// A pointer points to something.
    NotNull,
    /// What a pointer points to still exists.
    Alive,
    /// What a pointer points to is inside of its object.
    Inside,
    /// What is written is no constant.
    Writable,
    /// A pointer is near enough to its object to be known as one into it. This is no fault but the end of
    /// what a formula tells.
    Near,
    /// A result fits its type.
    Fits,
    /// What is read was written.
    Written,
    /// What is copied and where it is copied to do not overlap.
    Apart,
}

/// A need, and the literal that is true if it is met or the evaluator does not come there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Condition {
    pub need: Need,
    pub holds: Literal,
}

/// What places hold while an expression is evaluated.
pub trait Environment {
    /// The frame of globals.
    fn global(&self) -> u32;

    /// The frame of whoever executes.
    fn local(&self) -> u32;

    /// Processes by their numbers, with their frames.
    fn processes(&self) -> &[(i64, u32)];

    fn load(&self, cell: Cell, scalar: Scalar) -> Result<Value, EncodeError>;

    /// The answer to a question of the front-end's own.
    fn ask(
        &self,
        circuit: &mut Circuit<'_>,
        question: u32,
        arguments: &[Value],
    ) -> Result<Value, EncodeError>;

    /// What lies where a pointer points to, and what must be so for that to be anything.
    fn deref(
        &self,
        _circuit: &mut Circuit<'_>,
        _pointer: &Value,
        _scalar: Scalar,
        _needs: &mut Vec<(Need, Literal)>,
    ) -> Result<Value, EncodeError> {
        Err(EncodeError::Pointer)
    }
}

/// The value of an expression; the conditions are added in the order in which the evaluator comes to them.
pub fn encode<E: Environment>(
    circuit: &mut Circuit<'_>,
    environment: &E,
    expr: &Expr,
    conditions: &mut Vec<Condition>,
) -> Result<Value, EncodeError> {
    Encoder { circuit, environment, conditions, reached: Literal::TRUE, depth: 0 }.expr(expr, WIDEST)
}

/// The cells a place may be, with the literals that say which; where all are false the place is none.
pub fn encode_place<E: Environment>(
    circuit: &mut Circuit<'_>,
    environment: &E,
    place: &Place,
    conditions: &mut Vec<Condition>,
) -> Result<Vec<(Cell, Literal)>, EncodeError> {
    Encoder { circuit, environment, conditions, reached: Literal::TRUE, depth: 0 }.cells(place)
}

/// How deep expressions may be nested, chains that lean to the left not counted; every level takes a part of
/// the stack.
const DEEPEST: u32 = 400;

struct Encoder<'a, 'w, E> {
    circuit: &'a mut Circuit<'w>,
    environment: &'a E,
    conditions: &'a mut Vec<Condition>,
    /// Whether the evaluator comes here.
    reached: Literal,
    depth: u32,
}

impl<E: Environment> Encoder<'_, '_, E> {
    /// A number that agrees with the value in the lowest `demand` bits.
    fn expr(&mut self, expr: &Expr, demand: usize) -> Result<Value, EncodeError> {
        if self.depth == DEEPEST {
            return Err(EncodeError::TooDeep);
        }
        self.depth += 1;
        let value = match expr {
            Expr::Constant(number) => Value::constant(*number),
            Expr::Load(place) => self.load(place)?,
            Expr::Unary(operator, inner) => {
                let below = if *operator == model::Unary::Not { WIDEST } else { demand };
                let value = self.expr(inner, below)?;
                self.circuit.unary(*operator, &value, demand)
            }
            Expr::Binary(..) => self.operation(expr, demand)?,
            Expr::AndAlso(..) | Expr::OrElse(..) => self.short_circuit(expr)?,
            Expr::Choose(condition, yes, no) => self.choice(condition, yes, no, demand)?,
            Expr::Wrap(scalar, inner) => {
                let width = usize::from(scalar.bits);
                let value = self.expr(inner, demand.min(width))?;
                // Where fewer bits are looked at than it wraps to, wrapping would only add some.
                if demand < width { value } else { value.wrap(*scalar) }
            }
            Expr::Ask(question, arguments) => {
                let arguments = self.arguments(arguments)?;
                self.environment.ask(self.circuit, *question, &arguments)?
            }
            Expr::Deref(scalar, pointer) => {
                let pointer = self.expr(pointer, WIDEST)?;
                let mut needs = Vec::new();
                let value = self.environment.deref(self.circuit, &pointer, *scalar, &mut needs)?;
                needs.into_iter().for_each(|(need, met)| self.need(need, met));
                value
            }
            Expr::Apply(primitive, arguments) => {
                let arguments = self.arguments(arguments)?;
                self.apply(*primitive, &arguments)?
            }
        };
        self.depth -= 1;
        Ok(value)
    }

    fn arguments(&mut self, arguments: &[Expr]) -> Result<Vec<Value>, EncodeError> {
        arguments.iter().map(|argument| self.expr(argument, WIDEST)).collect()
    }

    /// Binary operators; a chain that leans to the left is walked down and up again, however long it is.
    fn operation(&mut self, expr: &Expr, demand: usize) -> Result<Value, EncodeError> {
        let mut chain = Vec::new();
        let (mut first, mut demand) = (expr, demand);
        while let Expr::Binary(operator, left, right) = first {
            let (mut for_left, for_right) = operators::operand_demands(*operator, demand);
            if let (model::Binary::And, Expr::Constant(mask @ 0..)) = (operator, &**right) {
                for_left = for_left.min(needed(0, *mask).0);
            }
            chain.push((*operator, &**right, for_right, demand));
            (first, demand) = (left, for_left);
        }
        let mut value = self.expr(first, demand)?;
        for (operator, right, for_right, demand) in chain.into_iter().rev() {
            let right = self.expr(right, for_right)?;
            if matches!(operator, model::Binary::Divide | model::Binary::Remainder) {
                let divides = right.is_true(self.circuit);
                self.need(Need::Divisor, divides);
            }
            value = self.circuit.binary(operator, &value, &right, demand);
        }
        Ok(value)
    }

    /// Operators that look at their second operand only where it matters; chains as above.
    fn short_circuit(&mut self, expr: &Expr) -> Result<Value, EncodeError> {
        let mut chain = Vec::new();
        let mut first = expr;
        while let Expr::AndAlso(left, right) | Expr::OrElse(left, right) = first {
            chain.push((matches!(first, Expr::AndAlso(..)), &**right));
            first = left;
        }
        let value = self.expr(first, WIDEST)?;
        let mut truth = value.is_true(self.circuit);
        for (both, right) in chain.into_iter().rev() {
            // Of `and`, the second operand matters where the first is true; of `or`, where it is false.
            let matters = truth.flipped(!both);
            // What is never looked at may not even have a meaning.
            if matters == Literal::FALSE {
                continue;
            }
            let right = self.where_true(matters, right, WIDEST)?;
            let right = right.is_true(self.circuit);
            truth = if both { self.circuit.and(truth, right) } else { self.circuit.or(truth, right) };
        }
        Ok(Value::truth(truth))
    }

    fn choice(
        &mut self,
        condition: &Expr,
        yes: &Expr,
        no: &Expr,
        demand: usize,
    ) -> Result<Value, EncodeError> {
        let condition = self.expr(condition, WIDEST)?;
        let condition = condition.is_true(self.circuit);
        match condition.known() {
            Some(true) => return self.expr(yes, demand),
            Some(false) => return self.expr(no, demand),
            None => {}
        }
        let yes = self.where_true(condition, yes, demand)?;
        let no = self.where_true(!condition, no, demand)?;
        Ok(self.circuit.choose_value(condition, &yes, &no))
    }

    /// The value of an expression that is looked at only where the literal is true.
    fn where_true(&mut self, literal: Literal, expr: &Expr, demand: usize) -> Result<Value, EncodeError> {
        let before = self.reached;
        self.reached = self.circuit.and(before, literal);
        let value = self.expr(expr, demand);
        self.reached = before;
        value
    }

    fn need(&mut self, need: Need, met: Literal) {
        let holds = self.circuit.implies(self.reached, met);
        if holds != Literal::TRUE {
            self.conditions.push(Condition { need, holds });
        }
    }
}
