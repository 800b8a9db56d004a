//! Places: which cells an expression may read or an assignment may write.
//!
//! Indices are values of the formula, so a place may be any element of an array. Reading chooses among the elements
//! by the bits of the index; writing needs to know for every element whether it is the one. Only elements that
//! the bounds of the index allow are looked at.

use model::{Base, Place};

use super::{EncodeError, Encoder, Environment, Need};
use crate::bits::{Bits, WIDEST};
use crate::solver::Literal;
use crate::value::{Value, needed};

/// How many elements one place may choose from.
const MOST_ELEMENTS: u64 = 1 << 16;

/// How many indices a place may have.
const MOST_INDICES: usize = 32;

/// A scalar in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    pub frame: u32,
    pub offset: u32,
}

/// One index of a place, with the elements it can reach.
struct Dimension {
    index: Value,
    first: u32,
    last: u32,
    stride: u32,
}

/// A place whose indices are encoded.
struct Resolved {
    /// Frames, and when each is the one; the last is taken where none is.
    frames: Vec<(u32, Literal)>,
    dimensions: Vec<Dimension>,
}

impl<E: Environment> Encoder<'_, '_, E> {
    pub(super) fn load(&mut self, place: &Place) -> Result<Value, EncodeError> {
        let resolved = self.resolve(place)?;
        let mut result: Option<Value> = None;
        for (frame, here) in resolved.frames {
            let cell = Cell { frame, offset: place.offset };
            let value = self.read(place, cell, &resolved.dimensions)?;
            result = Some(match result {
                None => value,
                Some(other) => self.circuit.choose_value(here, &value, &other),
            });
        }
        Ok(result.unwrap_or(Value::constant(0)))
    }

    /// The cells a place may be, and when each is.
    pub(super) fn cells(&mut self, place: &Place) -> Result<Vec<(Cell, Literal)>, EncodeError> {
        let resolved = self.resolve(place)?;
        let mut cells: Vec<(Cell, Literal)> = resolved
            .frames
            .into_iter()
            .map(|(frame, here)| (Cell { frame, offset: place.offset }, here))
            .collect();
        for dimension in &resolved.dimensions {
            let mut next = Vec::with_capacity(cells.len());
            for (cell, here) in cells {
                for at in dimension.first..=dimension.last {
                    let element = element(cell, at, dimension.stride)?;
                    let chosen = self.circuit.binary(
                        model::Binary::Equal,
                        &dimension.index,
                        &Value::constant(i64::from(at)),
                        WIDEST,
                    );
                    let chosen = chosen.is_true(self.circuit);
                    next.push((element, self.circuit.and(here, chosen)));
                }
            }
            cells = next;
        }
        Ok(cells)
    }

    fn resolve(&mut self, place: &Place) -> Result<Resolved, EncodeError> {
        if place.indices.len() > MOST_INDICES {
            return Err(EncodeError::TooDeep);
        }
        let frames = match &place.base {
            Base::Global => vec![(self.environment.global(), Literal::TRUE)],
            Base::Local => vec![(self.environment.local(), Literal::TRUE)],
            Base::Of(process) => self.frames_of(process)?,
        };
        let mut dimensions = Vec::with_capacity(place.indices.len());
        let mut elements = frames.len() as u64;
        for index in &place.indices {
            let value = self.expr(&index.value, WIDEST)?;
            let inside = self.circuit.inside(&value, index.length);
            self.need(Need::Index { length: index.length }, inside);
            let last = i64::from(index.length.max(1) - 1);
            let (first, last) = (value.low().clamp(0, last), value.high().clamp(0, last));
            elements = elements.saturating_mul((last - first + 1) as u64);
            if elements > MOST_ELEMENTS {
                return Err(EncodeError::TooManyElements(MOST_ELEMENTS));
            }
            dimensions.push(Dimension {
                index: value,
                first: first as u32,
                last: last as u32,
                stride: index.stride,
            });
        }
        Ok(Resolved { frames, dimensions })
    }

    fn frames_of(&mut self, process: &model::Expr) -> Result<Vec<(u32, Literal)>, EncodeError> {
        let value = self.expr(process, WIDEST)?;
        let mut frames = Vec::new();
        for (number, frame) in self.environment.processes().to_vec() {
            let same = self.circuit.binary(model::Binary::Equal, &value, &Value::constant(number), WIDEST);
            let here = same.is_true(self.circuit);
            if here != Literal::FALSE {
                frames.push((frame, here));
            }
        }
        let exists = self.circuit.any(frames.iter().map(|(_, here)| *here));
        self.need(Need::Process, exists);
        Ok(frames)
    }

    fn read(&mut self, place: &Place, cell: Cell, dimensions: &[Dimension]) -> Result<Value, EncodeError> {
        let Some((dimension, rest)) = dimensions.split_first() else {
            return self.environment.load(cell, place.scalar);
        };
        let mut elements = Vec::with_capacity((dimension.last - dimension.first) as usize + 1);
        for at in dimension.first..=dimension.last {
            elements.push(self.read(place, element(cell, at, dimension.stride)?, rest)?);
        }
        let low = elements.iter().map(Value::low).min().unwrap_or(0);
        let high = elements.iter().map(Value::high).max().unwrap_or(0);
        let (width, signed) = needed(low, high);
        let mut vectors: Vec<Bits> = elements.iter().map(|value| value.resize(width)).collect();
        // The tree goes by the bits of the index, so it starts at 0.
        let before = vec![vectors[0].clone(); dimension.first as usize];
        vectors.splice(0..0, before);
        let bits = self.circuit.select(&vectors, dimension.index.bits());
        Ok(Value::within(bits, signed, low, high))
    }
}

fn element(cell: Cell, at: u32, stride: u32) -> Result<Cell, EncodeError> {
    let offset = u64::from(cell.offset) + u64::from(at) * u64::from(stride);
    let offset =
        u32::try_from(offset).map_err(|_| EncodeError::Outside { frame: cell.frame, offset: cell.offset })?;
    Ok(Cell { frame: cell.frame, offset })
}
