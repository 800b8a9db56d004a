//! Memory whose bits are literals, shared between the states of a walk as far as they agree.
//!
//! Every branch makes a copy of all memory, and most of it is never touched before the ways meet again. So blocks
//! are cut into chunks, copies share them, and a merge looks only at those that differ.

use std::rc::Rc;

use model::Scalar;

use crate::bits::Bits;
use crate::circuit::Circuit;
use crate::expr::{Cell, EncodeError, Value};
use crate::solver::Literal;

/// Literals of a chunk: 64 bytes.
const CHUNK: usize = 512;

/// A frame, the globals, or an object on the heap.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// Whether it exists.
    pub(super) alive: Literal,
    bits: usize,
    chunks: Rc<Vec<Rc<Vec<Literal>>>>,
}

impl Block {
    /// Holds these bytes.
    pub(super) fn of_bytes(bytes: &[u8]) -> Self {
        let literals: Vec<Literal> = bytes
            .iter()
            .flat_map(|byte| (0..8).map(move |bit| Literal::constant(byte >> bit & 1 == 1)))
            .collect();
        let chunks = literals.chunks(CHUNK).map(|chunk| Rc::new(chunk.to_vec())).collect();
        Self { alive: Literal::TRUE, bits: literals.len(), chunks: Rc::new(chunks) }
    }

    /// So many zeros.
    pub(super) fn zeros(bytes: usize) -> Self {
        let whole = Rc::new(vec![Literal::FALSE; CHUNK]);
        let bits = bytes * 8;
        let mut chunks = vec![whole; bits / CHUNK];
        if !bits.is_multiple_of(CHUNK) {
            chunks.push(Rc::new(vec![Literal::FALSE; bits % CHUNK]));
        }
        Self { alive: Literal::TRUE, bits, chunks: Rc::new(chunks) }
    }

    pub(super) fn bytes(&self) -> usize {
        self.bits / 8
    }

    /// So many literals from a byte on.
    fn read(&self, byte: u32, bits: usize) -> Option<Vec<Literal>> {
        let start = byte as usize * 8;
        let end = start.checked_add(bits).filter(|end| *end <= self.bits)?;
        let mut literals = Vec::with_capacity(bits);
        let mut at = start;
        while at < end {
            let chunk = &self.chunks[at / CHUNK];
            let stop = (at % CHUNK + end - at).min(chunk.len());
            literals.extend_from_slice(&chunk[at % CHUNK..stop]);
            at += stop - at % CHUNK;
        }
        Some(literals)
    }

    fn write(&mut self, byte: u32, literals: &[Literal]) -> Option<()> {
        let start = byte as usize * 8;
        start.checked_add(literals.len()).filter(|end| *end <= self.bits)?;
        let chunks = Rc::make_mut(&mut self.chunks);
        let mut at = start;
        let mut rest = literals;
        while !rest.is_empty() {
            let chunk = &mut chunks[at / CHUNK];
            let room = (chunk.len() - at % CHUNK).min(rest.len());
            let place = at % CHUNK..at % CHUNK + room;
            if chunk[place.clone()] != rest[..room] {
                Rc::make_mut(chunk)[place].copy_from_slice(&rest[..room]);
            }
            at += room;
            rest = &rest[room..];
        }
        Some(())
    }
}

/// All blocks that may exist.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    /// In the order of their numbers.
    blocks: Vec<(u32, Block)>,
}

impl Memory {
    fn find(&self, number: u32) -> Result<usize, usize> {
        self.blocks.binary_search_by_key(&number, |(number, _)| *number)
    }

    pub(super) fn block(&self, number: u32) -> Option<&Block> {
        self.find(number).ok().map(|at| &self.blocks[at].1)
    }

    /// Whether the block exists.
    pub(super) fn alive(&self, number: u32) -> Literal {
        self.block(number).map_or(Literal::FALSE, |block| block.alive)
    }

    pub(super) fn set_alive(&mut self, number: u32, alive: Literal) {
        if let Ok(at) = self.find(number) {
            self.blocks[at].1.alive = alive;
        }
    }

    pub(super) fn add(&mut self, number: u32, block: Block) {
        match self.find(number) {
            Ok(at) => self.blocks[at].1 = block,
            Err(at) => self.blocks.insert(at, (number, block)),
        }
    }

    pub(super) fn remove(&mut self, number: u32) {
        if let Ok(at) = self.find(number) {
            self.blocks.remove(at);
        }
    }

    pub(super) fn read(&self, cell: Cell, bits: usize) -> Result<Vec<Literal>, EncodeError> {
        self.block(cell.frame).and_then(|block| block.read(cell.offset, bits)).ok_or(outside(cell))
    }

    pub(super) fn load(&self, cell: Cell, scalar: Scalar) -> Result<Value, EncodeError> {
        let literals = self.read(cell, usize::from(scalar.bytes() as u8) * 8)?;
        Ok(Value::new(Bits::new(literals), scalar.signed))
    }

    /// Writes literals where `when` holds.
    pub(super) fn write(
        &mut self,
        circuit: &mut Circuit<'_>,
        cell: Cell,
        literals: &[Literal],
        when: Literal,
    ) -> Result<(), EncodeError> {
        let at = self.find(cell.frame).map_err(|_| outside(cell))?;
        let block = &mut self.blocks[at].1;
        if when == Literal::TRUE {
            return block.write(cell.offset, literals).ok_or(outside(cell));
        }
        if when == Literal::FALSE {
            return Ok(());
        }
        let old = block.read(cell.offset, literals.len()).ok_or(outside(cell))?;
        let new = choose(circuit, when, literals, &old);
        block.write(cell.offset, &new).ok_or(outside(cell))
    }

    /// Becomes `other` where `when` holds.
    pub(super) fn merge(&mut self, circuit: &mut Circuit<'_>, other: &Self, when: Literal) {
        let mut merged = Vec::with_capacity(self.blocks.len().max(other.blocks.len()));
        let mut ours = std::mem::take(&mut self.blocks).into_iter().peekable();
        let mut theirs = other.blocks.iter().peekable();
        loop {
            let (mine, yours) =
                (ours.peek().map(|(number, _)| *number), theirs.peek().map(|(number, _)| *number));
            match (mine, yours) {
                (None, None) => break,
                (Some(one), Some(two)) if one == two => {
                    if let (Some((number, mut block)), Some((_, theirs))) = (ours.next(), theirs.next()) {
                        block.merge(circuit, theirs, when);
                        merged.push((number, block));
                    }
                }
                (Some(one), two) if two.is_none_or(|two| one < two) => {
                    if let Some((number, mut block)) = ours.next() {
                        block.alive = circuit.and(block.alive, !when);
                        merged.push((number, block));
                    }
                }
                _ => {
                    if let Some((number, block)) = theirs.next() {
                        let alive = circuit.and(block.alive, when);
                        merged.push((*number, Block { alive, ..block.clone() }));
                    }
                }
            }
        }
        merged.retain(|(_, block)| block.alive != Literal::FALSE);
        self.blocks = merged;
    }
}

impl Block {
    fn merge(&mut self, circuit: &mut Circuit<'_>, other: &Self, when: Literal) {
        self.alive = circuit.choose(when, other.alive, self.alive);
        if Rc::ptr_eq(&self.chunks, &other.chunks) {
            return;
        }
        let chunks = Rc::make_mut(&mut self.chunks);
        for (old, new) in chunks.iter_mut().zip(other.chunks.iter()) {
            if !Rc::ptr_eq(old, new) && old != new {
                *old = Rc::new(choose(circuit, when, new, old));
            }
        }
    }
}

/// Chooses between runs of memory; where they hold pointers, that is noted.
pub(super) fn choose(
    circuit: &mut Circuit<'_>,
    when: Literal,
    yes: &[Literal],
    no: &[Literal],
) -> Vec<Literal> {
    let mut result: Vec<Literal> =
        yes.iter().zip(no).map(|(yes, no)| circuit.choose(when, *yes, *no)).collect();
    result.truncate(yes.len().min(no.len()));
    if let Some(width) = circuit.pointers.width() {
        for ((yes, no), result) in
            yes.chunks_exact(width).zip(no.chunks_exact(width)).zip(result.chunks_exact(width))
        {
            if yes != no {
                circuit.note_words(when, yes, no, result);
            }
        }
    }
    result
}

fn outside(cell: Cell) -> EncodeError {
    EncodeError::Outside { frame: cell.frame, offset: cell.offset }
}
