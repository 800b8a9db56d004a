//! Programs: functions as automata whose edges carry commands.
//!
//! A function has numbered locations and edges between them. An edge belongs to a statement of the source,
//! and several edges may belong to one; what a person calls a step ends at a location that is a
//! [`Location::boundary`]. Variables lie in frames, one of globals and one for each call; those that
//! pointers may point to are [objects](FrameObject) besides, and have a number at run time.

use source::Span;

use crate::{Base, Command, Layout, Place, Scalar};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionId(pub u32);

#[derive(Clone, Debug)]
pub struct Program {
    pub functions: Vec<Function>,
    pub entry: FunctionId,
    pub globals: Globals,
    pub statements: Vec<Statement>,
    pub pointers: Pointers,
    /// Whether a second thread can be started. Then every edge accesses memory that others see at most
    /// once, unless it is meant to do more at once.
    pub threads: bool,
}

/// How a pointer is a number: that of an object, moved up by `shift` bits, plus the offset in bytes.
///
/// Offsets have a sign, so a pointer a little before its object still belongs to it. Object 0 is nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pointers {
    pub scalar: Scalar,
    pub shift: u8,
}

impl Pointers {
    /// Of as many bits as pointers have in the source language.
    pub fn of_bits(bits: u8) -> Self {
        Self { scalar: Scalar::unsigned(bits), shift: if bits >= 64 { 32 } else { 20 } }
    }

    pub fn pointer(self, object: u32, offset: i64) -> i64 {
        self.scalar.wrap((i64::from(object) << self.shift).wrapping_add(offset))
    }

    /// The object and the offset.
    #[inline]
    pub fn split(self, pointer: i64) -> (u32, i64) {
        let half = 1i64 << (self.shift - 1);
        let bits = Scalar { bits: self.scalar.bits - self.shift, signed: false };
        let object = bits.wrap(pointer.wrapping_add(half) >> self.shift);
        let offset = Scalar { bits: self.shift, signed: true }.wrap(pointer);
        (object as u32, offset)
    }

    /// How large an object may be.
    pub fn largest_object(self) -> u64 {
        (1 << (self.shift - 1)) - 1
    }

    /// How many objects there may be.
    pub fn most_objects(self) -> u32 {
        ((1u64 << (self.scalar.bits - self.shift).min(24)) - 1) as u32
    }
}

/// The frame of globals, and all objects that exist from the start.
#[derive(Clone, Debug, Default)]
pub struct Globals {
    pub layout: Layout,
    /// Where the frame begins in a state; offsets count from the start of the state.
    pub start: u32,
    /// What the frame holds at first, from `start` on.
    pub initial: Vec<u8>,
    /// What is never written, outside of states.
    pub constants: Vec<u8>,
    /// The objects numbered from 1 on.
    pub objects: Vec<StaticObject>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StaticObject {
    pub name: String,
    pub place: StaticPlace,
    pub size: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StaticPlace {
    /// The offset in the frame of globals.
    Global(u32),
    /// The offset among the constants.
    Constant(u32),
    /// A function has an address and no bytes.
    Function(FunctionId),
}

#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    pub frame: Layout,
    /// Temporaries lie from here on to the end of the frame; they are 0 at every boundary.
    pub temporaries: u32,
    pub parameters: Vec<Parameter>,
    /// The numbers that it may hand back.
    pub result: Scalar,
    /// Variables of the frame that pointers may point to.
    pub objects: Vec<FrameObject>,
    pub locations: Vec<Location>,
    /// In the order of the locations they leave.
    pub edges: Vec<Edge>,
    pub entry: u32,
    pub span: Span,
}

impl Function {
    /// Whether a place holds something only until a statement ends.
    pub fn is_temporary(&self, place: &Place) -> bool {
        place.base == Base::Local && place.offset >= self.temporaries
    }

    /// The edges that leave a location.
    pub fn edges_of(&self, location: u32) -> &[Edge] {
        let start = self.edges.partition_point(|edge| edge.from < location);
        let end = self.edges.partition_point(|edge| edge.from <= location);
        &self.edges[start..end]
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    pub offset: u32,
    pub kind: ParameterKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    Value(Scalar),
    /// A floating-point number, kept in single precision.
    Single,
    /// So many bytes.
    Block(u32),
}

/// A variable of a frame that has a number while the frame lives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrameObject {
    pub name: String,
    /// Where in the frame the number is kept.
    pub number: u32,
    pub offset: u32,
    pub size: u32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Location {
    /// A step ends here.
    pub boundary: bool,
    /// Every cycle of the function passes such a location or a call.
    pub loop_head: bool,
}

#[derive(Clone, Debug)]
pub struct Edge {
    pub from: u32,
    pub to: u32,
    /// They happen at once. A call or return comes last.
    pub commands: Vec<Command>,
    pub statement: u32,
    pub outcome: Option<Outcome>,
    /// Whether it reads or writes what other threads see, or waits for them.
    pub visible: bool,
}

/// Which way a branch went.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    True,
    False,
    /// The case in the words of the source.
    Case(String),
}

/// A statement as its author knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    pub text: String,
    pub span: Span,
    pub kind: StatementKind,
    pub function: FunctionId,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StatementKind {
    Assignment,
    Branch,
    Call,
    Return,
    Assertion,
    Assumption,
    /// Says what should hold, without being checked.
    Constraint,
    Declaration,
    Jump,
    /// Anything else with an effect.
    Other,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_keep_their_object_a_little_outside_of_it() {
        for pointers in [Pointers::of_bits(32), Pointers::of_bits(64)] {
            for object in [0, 1, 77, pointers.most_objects()] {
                for offset in [0, 1, -1, 4000, -4000] {
                    let pointer = pointers.pointer(object, offset);
                    assert_eq!(pointers.split(pointer), (object, offset), "{pointers:?}");
                }
            }
        }
        assert_eq!(Pointers::of_bits(64).pointer(0, 0), 0);
    }
}
