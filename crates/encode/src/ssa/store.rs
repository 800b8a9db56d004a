//! Memory whose bits are literals: the latest version of every place.
//!
//! In static single assignment every assignment makes a new version of its target. Here a version is a vector of
//! literals, and the store holds the latest one, bit by bit, in the layout of the evaluator's states. So a place
//! that is written as one scalar and read as another, or as a part of it, means what it means there.

use model::Scalar;

use crate::bits::Bits;
use crate::circuit::Circuit;
use crate::expr::{Cell, EncodeError, Value};
use crate::solver::{Literal, Solver};

/// The frames of a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Store {
    /// Eight literals a byte, the lowest bit first.
    frames: Vec<Vec<Literal>>,
}

impl Store {
    /// Frames that hold these bytes.
    pub fn new<'a>(frames: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let literals = |bytes: &[u8]| {
            bytes
                .iter()
                .flat_map(|byte| (0..8).map(move |bit| Literal::constant(byte >> bit & 1 == 1)))
                .collect()
        };
        Self { frames: frames.into_iter().map(literals).collect() }
    }

    /// What lies in a cell.
    pub fn load(&self, cell: Cell, scalar: Scalar) -> Result<Value, EncodeError> {
        let literals = self
            .frames
            .get(cell.frame as usize)
            .and_then(|frame| frame.get(range(cell, scalar)))
            .ok_or(outside(cell))?;
        Ok(Value::new(Bits::new(literals.iter().copied()), scalar.signed))
    }

    /// Wraps the value to the scalar and writes it where `when` holds.
    pub fn assign(
        &mut self,
        circuit: &mut Circuit<'_>,
        cell: Cell,
        scalar: Scalar,
        value: &Value,
        when: Literal,
    ) -> Result<(), EncodeError> {
        let target = self
            .frames
            .get_mut(cell.frame as usize)
            .and_then(|frame| frame.get_mut(range(cell, scalar)))
            .ok_or(outside(cell))?;
        let bits = value.resize(usize::from(scalar.bits)).resize(target.len(), scalar.signed);
        for (old, new) in target.iter_mut().zip(bits.literals()) {
            *old = circuit.choose(when, *new, *old);
        }
        Ok(())
    }

    /// Becomes `other` where `when` holds: where two ways through a program meet again. Frames that only one of
    /// them has are taken over.
    pub fn merge(&mut self, circuit: &mut Circuit<'_>, other: &Self, when: Literal) {
        for (frame, new) in self.frames.iter_mut().zip(&other.frames) {
            for (old, new) in frame.iter_mut().zip(new) {
                *old = circuit.choose(when, *new, *old);
            }
        }
        self.frames.extend(other.frames.iter().skip(self.frames.len()).cloned());
    }

    /// The bytes of a frame in the solver's model.
    pub fn bytes(&self, solver: &Solver<'_>, frame: u32) -> Vec<u8> {
        let literals = self.frames.get(frame as usize).map_or(&[][..], Vec::as_slice);
        let byte = |bits: &[Literal]| {
            bits.iter().enumerate().fold(0, |byte, (at, bit)| byte | u8::from(solver.is_true(*bit)) << at)
        };
        literals.chunks(8).map(byte).collect()
    }
}

fn range(cell: Cell, scalar: Scalar) -> std::ops::Range<usize> {
    let start = cell.offset as usize * 8;
    start..start + scalar.bytes() as usize * 8
}

fn outside(cell: Cell) -> EncodeError {
    EncodeError::Outside { frame: cell.frame, offset: cell.offset }
}
