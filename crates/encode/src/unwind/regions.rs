//! Where pointers point to: runs of memory, each with when it is the one.
//!
//! A pointer is one into any of a few objects, at an offset that may be any number. What is read there is chosen
//! among all places it may be; what is written is written to each of them, where it is the one.

use model::{Program, Scalar};

use super::execute::Frame;
use super::memory::{self, Memory};
use super::names::{CONSTANTS, GLOBALS, Kind, Names};
use super::state::State;
use crate::bits::{Bits, WIDEST};
use crate::circuit::Circuit;
use crate::expr::{Cell, EncodeError, Environment, Need, Value};
use crate::solver::Literal;

/// How many places one access may choose from.
const MOST_PLACES: u64 = 1 << 14;

/// An object that a pointer may point into.
#[derive(Clone, Debug)]
pub(super) struct Spot {
    /// Whether it is this one.
    pub(super) when: Literal,
    pub(super) block: u32,
    pub(super) start: u32,
    pub(super) size: Value,
    pub(super) kind: Kind,
    /// Whether it exists.
    pub(super) alive: Literal,
}

/// A pointer with all it may point into.
#[derive(Clone, Debug)]
pub(super) struct Target {
    /// Whether it points to nothing.
    pub(super) null: Literal,
    /// Whether it points to what was never there.
    pub(super) nowhere: Literal,
    /// Whether the offset can be relied on.
    pub(super) near: Literal,
    pub(super) offset: Value,
    pub(super) spots: Vec<Spot>,
}

/// Memory as expressions see it.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub(super) memory: &'a Memory,
    pub(super) names: &'a Names,
    pub(super) pointers: model::Pointers,
    /// The block of the frame of whoever executes.
    pub(super) frame: u32,
}

impl Environment for View<'_> {
    fn global(&self) -> u32 {
        GLOBALS
    }

    fn local(&self) -> u32 {
        self.frame
    }

    fn processes(&self) -> &[(i64, u32)] {
        &[]
    }

    fn load(&self, cell: Cell, scalar: Scalar) -> Result<Value, EncodeError> {
        self.memory.load(cell, scalar)
    }

    fn ask(&self, _: &mut Circuit<'_>, question: u32, _: &[Value]) -> Result<Value, EncodeError> {
        Err(EncodeError::Question(question))
    }

    fn deref(
        &self,
        circuit: &mut Circuit<'_>,
        pointer: &Value,
        scalar: Scalar,
        needs: &mut Vec<(Need, Literal)>,
    ) -> Result<Value, EncodeError> {
        let target = self.target(circuit, pointer);
        let size = Value::constant(i64::from(scalar.bytes()));
        self.accessible(circuit, &target, &size, false, needs);
        let literals = self.read(circuit, &target, scalar.bytes() as usize)?;
        Ok(Value::new(Bits::new(literals), scalar.signed))
    }
}

impl<'a> View<'a> {
    pub(super) fn new(program: &Program, names: &'a Names, state: &'a State, frame: &Frame) -> Self {
        Self { memory: &state.memory, names, pointers: program.pointers, frame: frame.block }
    }

    /// Takes a pointer apart.
    pub(super) fn target(&self, circuit: &mut Circuit<'_>, pointer: &Value) -> Target {
        let half = 1i64 << (self.pointers.shift - 1);
        let (objects, offset) = match circuit.pointing(pointer) {
            Some(pointing) => (pointing.targets.clone(), pointing.offset.clone()),
            None => self.by_bits(circuit, pointer),
        };
        let far = if -half <= offset.low() && offset.high() < half {
            Literal::FALSE
        } else {
            let (below, above) = (
                circuit.less_value(&offset, &Value::constant(-half)),
                circuit.less_value(&Value::constant(half - 1), &offset),
            );
            circuit.or(below, above)
        };
        let mut target = Target {
            null: Literal::FALSE,
            nowhere: Literal::FALSE,
            near: !far,
            offset,
            spots: Vec::with_capacity(objects.len()),
        };
        for (number, when) in objects {
            match self.names.objects.get(number as usize) {
                _ if number == 0 => target.null = circuit.or(target.null, when),
                None => target.nowhere = circuit.or(target.nowhere, when),
                Some(object) => {
                    let alive = match object.kind {
                        Kind::Frame | Kind::Heap => self.memory.alive(object.block),
                        Kind::Global | Kind::Constant | Kind::Function(_) => Literal::TRUE,
                    };
                    target.spots.push(Spot {
                        when,
                        block: object.block,
                        start: object.start,
                        size: object.size.clone(),
                        kind: object.kind,
                        alive,
                    });
                }
            }
        }
        target
    }

    /// All objects that the bits of a pointer allow, and its offset.
    fn by_bits(&self, circuit: &mut Circuit<'_>, pointer: &Value) -> (Vec<(u32, Literal)>, Value) {
        let shift = usize::from(self.pointers.shift);
        let width = usize::from(self.pointers.scalar.bits);
        let half = Value::constant(1i64 << (shift - 1));
        let moved = circuit.binary(model::Binary::Add, pointer, &half, WIDEST).resize(width);
        let object = moved.slice(shift, width - shift);
        let offset = Value::new(pointer.resize(width).truncate(shift), true);
        let mut objects = Vec::new();
        let mut others = Vec::new();
        for number in 0..self.names.objects.len() as u32 {
            let is = circuit.is_number(&object, u64::from(number));
            if is != Literal::FALSE {
                objects.push((number, is));
                others.push(!is);
            }
        }
        let none = circuit.all(others);
        if none != Literal::FALSE {
            objects.push((u32::MAX, none));
        }
        (objects, offset)
    }

    /// What must be so for `size` bytes, more than none, to be read or written there.
    pub(super) fn accessible(
        &self,
        circuit: &mut Circuit<'_>,
        target: &Target,
        size: &Value,
        writes: bool,
        needs: &mut Vec<(Need, Literal)>,
    ) {
        needs.push((Need::Near, target.near));
        needs.push((Need::NotNull, !target.null));
        let (mut dead, mut outside, mut constant) = (target.nowhere, Literal::FALSE, Literal::FALSE);
        let before = circuit.less_value(&target.offset, &Value::constant(0));
        let end = circuit.binary(model::Binary::Add, &target.offset, size, WIDEST);
        for spot in &target.spots {
            let gone = circuit.and(spot.when, !spot.alive);
            dead = circuit.or(dead, gone);
            let behind = circuit.less_value(&spot.size, &end);
            let wrong = circuit.or(before, behind);
            let wrong = circuit.and(spot.when, wrong);
            outside = circuit.or(outside, wrong);
            if writes && spot.kind == Kind::Constant {
                constant = circuit.or(constant, spot.when);
            }
        }
        needs.extend([(Need::Alive, !dead), (Need::Inside, !outside), (Need::Writable, !constant)]);
    }

    /// What lies there; anything where it cannot be read.
    pub(super) fn read(
        &self,
        circuit: &mut Circuit<'_>,
        target: &Target,
        bytes: usize,
    ) -> Result<Vec<Literal>, EncodeError> {
        let mut found: Option<Vec<Literal>> = None;
        for spot in &target.spots {
            let Some(literals) = self.read_spot(circuit, spot, &target.offset, bytes)? else { continue };
            found = Some(match found {
                None => literals,
                Some(other) => memory::choose(circuit, spot.when, &literals, &other),
            });
        }
        Ok(found.unwrap_or_else(|| vec![Literal::FALSE; bytes * 8]))
    }

    /// What lies in one object; nothing if no offset is inside of it.
    fn read_spot(
        &self,
        circuit: &mut Circuit<'_>,
        spot: &Spot,
        offset: &Value,
        bytes: usize,
    ) -> Result<Option<Vec<Literal>>, EncodeError> {
        let Some(places) = self.places(spot, offset, bytes)? else { return Ok(None) };
        let cell = |at: i64| Cell { frame: spot.block, offset: spot.start + at as u32 };
        if places.first == places.last {
            return self.memory.read(cell(places.first), bytes * 8).map(Some);
        }
        let mut elements = Vec::new();
        let mut at = places.residue;
        while at <= places.last {
            elements.push(self.memory.read(cell(at.max(places.first)), bytes * 8)?);
            at += places.step;
        }
        let index = &offset.bits().literals()[places.known..];
        Ok(Some(select(circuit, elements, index)))
    }

    /// The offsets in an object at which so many bytes may lie.
    fn places(&self, spot: &Spot, offset: &Value, bytes: usize) -> Result<Option<Places>, EncodeError> {
        if matches!(spot.kind, Kind::Function(_)) || spot.alive == Literal::FALSE {
            return Ok(None);
        }
        let room = self.memory.block(spot.block).map_or(0, super::memory::Block::bytes) as i64;
        let most = spot.size.high().min(room - i64::from(spot.start)) - bytes as i64;
        Places::new(offset, most)
    }

    /// The cells that so many bytes may lie in, and when each is.
    pub(super) fn cells(
        &self,
        circuit: &mut Circuit<'_>,
        target: &Target,
        bytes: usize,
    ) -> Result<Vec<(Cell, Literal)>, EncodeError> {
        let mut cells = Vec::new();
        for spot in &target.spots {
            if spot.block == CONSTANTS {
                continue;
            }
            let Some(places) = self.places(spot, &target.offset, bytes)? else { continue };
            let mut at = places.first;
            while at <= places.last {
                let here = circuit.same_value(&target.offset, &Value::constant(at));
                let here = circuit.and(spot.when, here);
                if here != Literal::FALSE {
                    cells.push((Cell { frame: spot.block, offset: spot.start + at as u32 }, here));
                }
                at += places.step;
            }
        }
        Ok(cells)
    }
}

/// Numbers from the first to the last, by steps.
#[derive(Clone, Copy, Debug)]
struct Places {
    first: i64,
    last: i64,
    step: i64,
    /// What the numbers are beyond multiples of the step.
    residue: i64,
    /// How many of the lowest bits are known.
    known: usize,
}

impl Places {
    /// The numbers from 0 to `most` that a value can be, as far as its bounds and its lowest bits tell.
    fn new(value: &Value, most: i64) -> Result<Option<Self>, EncodeError> {
        let (low, high) = (value.low().max(0), value.high().min(most));
        if low > high {
            return Ok(None);
        }
        if value.known().is_some() {
            return Ok(Some(Self { first: low, last: low, step: 1, residue: 0, known: 0 }));
        }
        let bits = value.bits().literals();
        let known = bits[..bits.len() - 1].iter().take(16).take_while(|bit| bit.known().is_some()).count();
        let residue = (0..known).fold(0, |sum, at| sum | i64::from(bits[at].known() == Some(true)) << at);
        let step = 1i64 << known;
        let first = low + (residue - low).rem_euclid(step);
        let last = high - (high - residue).rem_euclid(step);
        if first > last {
            return Ok(None);
        }
        if (last / step) as u64 >= MOST_PLACES {
            return Err(EncodeError::TooManyElements(MOST_PLACES));
        }
        Ok(Some(Self { first, last, step, residue, known }))
    }
}

/// The run at an index, chosen by its bits.
fn select(circuit: &mut Circuit<'_>, elements: Vec<Vec<Literal>>, index: &[Literal]) -> Vec<Literal> {
    let mut level = elements;
    for bit in index {
        if level.len() == 1 {
            break;
        }
        let mut next = Vec::with_capacity(level.len().div_ceil(2));
        for pair in level.chunks(2) {
            next.push(match pair {
                [low, high] => memory::choose(circuit, *bit, high, low),
                _ => pair[0].clone(),
            });
        }
        level = next;
    }
    level.swap_remove(0)
}
