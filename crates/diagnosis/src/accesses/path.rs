//! What the steps of a path through a program read and write.
//!
//! A variable is a stretch of bytes in the frame of one call, or among the globals.

use encode::unwind::At;
use explain::dependence::{Access, Stretch};
use model::{Argument, Base, Binary, Command, Expr, Place, Program, Region, StatementKind, StaticPlace};

use crate::suspects::edge;

const GLOBALS: u32 = 0;

pub(crate) fn of_path(program: &Program, path: &[At]) -> Vec<Access> {
    let mut accesses = Vec::with_capacity(path.len());
    // The calls that go on, each with the edge that made it.
    let mut calls: Vec<(u32, Option<At>)> = vec![(1, None)];
    let mut next = 2;
    for (number, at) in path.iter().copied().enumerate() {
        let Some((frame, _)) = calls.last().copied() else { break };
        let function = at.function;
        for command in &edge(program, at).commands {
            let mut reader = Reader { program, function, frame, access: access_at(program, at) };
            reader.command(command);
            let branches = program.functions[function as usize].edges_of(edge(program, at).from).len() > 1;
            reader.access.demands |= branches && matches!(command, Command::Assume(_));
            let mut access = reader.access;
            match command {
                Command::Call { .. } | Command::CallPointer { .. } => {
                    let Some(into) = path.get(number + 1) else { continue };
                    let parameters = &program.functions[into.function as usize].parameters;
                    let bytes = |kind: &model::ParameterKind| match kind {
                        model::ParameterKind::Value(scalar) => scalar.bytes(),
                        model::ParameterKind::Single => 4,
                        model::ParameterKind::Block(size) => *size,
                    };
                    access.writes.extend(parameters.iter().map(|parameter| {
                        let end = parameter.offset + bytes(&parameter.kind);
                        in_frame(program, into.function, next, (parameter.offset, end))
                    }));
                    accesses.push(access);
                    calls.push((next, Some(at)));
                    next += 1;
                }
                Command::Return(_) => {
                    access.writes.push(Stretch::handed_back(frame));
                    accesses.push(access);
                    let call = calls.pop().and_then(|(_, call)| call);
                    let (Some(call), Some((caller, _))) = (call, calls.last().copied()) else { continue };
                    accesses.extend(result_access(program, call, caller, frame));
                }
                _ => accesses.push(access),
            }
        }
    }
    accesses
}

/// An access of the statement there, to be filled.
fn access_at(program: &Program, at: At) -> Access {
    let statement = edge(program, at).statement;
    let decides = program.statements[statement as usize].kind == StatementKind::Branch;
    Access { statement, decides, ..Access::default() }
}

/// What the caller does with what a call hands back.
fn result_access(program: &Program, call: At, caller: u32, frame: u32) -> Option<Access> {
    let (Command::Call { result, .. } | Command::CallPointer { result, .. }) =
        edge(program, call).commands.last()?
    else {
        return None;
    };
    let place = result.as_ref()?;
    let access = Access { reads: vec![Stretch::handed_back(frame)], ..access_at(program, call) };
    let mut reader = Reader { program, function: call.function, frame: caller, access };
    reader.write(place);
    Some(reader.access)
}

/// A stretch of a frame, or where it can be pointed to, all such memory.
fn in_frame(program: &Program, function: u32, frame: u32, (start, end): (u32, u32)) -> Stretch {
    let objects = &program.functions[function as usize].objects;
    let pointed = objects.iter().any(|object| object.offset < end && start < object.offset + object.size);
    if pointed { Stretch::POINTED } else { Stretch::in_frame(frame, (start, end)) }
}

struct Reader<'p> {
    program: &'p Program,
    function: u32,
    frame: u32,
    access: Access,
}

impl Reader<'_> {
    fn command(&mut self, command: &Command) {
        match command {
            Command::Set(place, value) => {
                self.expr(value);
                self.write(place);
                let statement = &self.program.statements[self.access.statement as usize];
                self.access.demands |= statement.kind == StatementKind::Constraint;
            }
            Command::Store { address, value, .. } => {
                self.expr(address);
                self.expr(value);
                self.access.writes.push(Stretch::POINTED);
                self.access.demands = true;
            }
            Command::Copy { to, from, size } => {
                self.region(from, *size, false);
                self.region(to, *size, true);
            }
            Command::Clear { at, size } => self.region(at, *size, true),
            Command::Touch { .. } | Command::Exit | Command::Fail(_) => {}
            Command::Assume(value) | Command::Assert(value) => {
                self.expr(value);
                self.access.demands |= !matches!(value, Expr::Constant(_));
            }
            Command::Nondet { place, range } => {
                if let Some((low, high)) = range {
                    self.expr(low);
                    self.expr(high);
                }
                self.write(place);
                self.access.demands = true;
            }
            Command::Call { arguments, .. } => arguments.iter().for_each(|argument| self.argument(argument)),
            Command::CallPointer { pointer, arguments, .. } => {
                self.expr(pointer);
                self.access.demands = true;
                arguments.iter().for_each(|argument| self.argument(argument));
            }
            Command::Return(value) => value.iter().for_each(|argument| self.argument(argument)),
            Command::Builtin { arguments, result, .. } => {
                arguments.iter().for_each(|argument| self.expr(argument));
                self.access.reads.push(Stretch::POINTED);
                self.access.writes.push(Stretch::POINTED);
                self.access.demands = true;
                if let Some(place) = result {
                    self.write(place);
                    self.access.overwrites = false;
                }
            }
        }
    }

    fn argument(&mut self, argument: &Argument) {
        match argument {
            Argument::Value(value) => self.expr(value),
            Argument::Block(region, size) => self.region(region, *size, false),
        }
    }

    fn region(&mut self, region: &Region, size: u32, writes: bool) {
        let stretch = match region {
            Region::Place(place) => self.stretch(place, size),
            Region::Address(pointer) => {
                self.expr(pointer);
                self.access.demands = true;
                Stretch::POINTED
            }
        };
        if writes { self.access.writes.push(stretch) } else { self.access.reads.push(stretch) }
    }

    fn write(&mut self, place: &Place) {
        let stretch = self.stretch(place, place.scalar.bytes());
        self.access.overwrites = place.indices.is_empty();
        self.access.writes.push(stretch);
    }

    /// Where a place may lie; its indices are read.
    fn stretch(&mut self, place: &Place, bytes: u32) -> Stretch {
        place.operands().for_each(|operand| self.expr(operand));
        self.demand_indices(place);
        self.memory(place, bytes)
    }

    /// Whether an index is inside of its array is asked for wherever it is used.
    fn demand_indices(&mut self, place: &Place) {
        self.access.demands |= place.indices.iter().any(|index| !matches!(index.value, Expr::Constant(_)));
    }

    fn memory(&self, place: &Place, bytes: u32) -> Stretch {
        let (start, end) = place.extent(bytes);
        match &place.base {
            Base::Local => in_frame(self.program, self.function, self.frame, (start, end)),
            Base::Global => {
                let pointed = self.program.globals.objects.iter().any(|object| match object.place {
                    StaticPlace::Global(object_start) => {
                        object_start < end && start < object_start + object.size
                    }
                    StaticPlace::Constant(_) | StaticPlace::Function(_) => false,
                });
                if pointed { Stretch::POINTED } else { Stretch::in_frame(GLOBALS, (start, end)) }
            }
            Base::Of(_) => Stretch::POINTED,
        }
    }

    fn expr(&mut self, expr: &Expr) {
        expr.for_each_part(&mut |part| match part {
            Expr::Load(place) => {
                self.demand_indices(place);
                let stretch = self.memory(place, place.scalar.bytes());
                self.access.reads.push(stretch);
            }
            Expr::Deref(..) => {
                self.access.reads.push(Stretch::POINTED);
                self.access.demands = true;
            }
            Expr::Binary(Binary::Divide | Binary::Remainder, ..) | Expr::Ask(..) | Expr::Apply(..) => {
                self.access.demands = true;
            }
            _ => {}
        });
    }
}
