//! What the steps of a trace read and write, and what follows from that: the dynamic slice (Korel and Laski 1988),
//! outside of which no statement can matter, and what is wrong because something else is (Pu's Definition 3).
//!
//! A variable is a stretch of bytes in the frame of one call, or among the globals. All that pointers may point to is
//! one place, so what is told errs on the side of dependence.

use std::collections::BTreeSet;

use encode::unwind::At;
use model::{Argument, Base, Binary, Command, Expr, Place, Program, Region, StatementKind, StaticPlace};

use crate::suspects::edge;

/// A stretch of memory: whose, from where, to where.
type Stretch = (u32, u32, u32);

const GLOBALS: u32 = 0;
/// All that pointers may point to.
const BEHIND_POINTERS: Stretch = (u32::MAX, 0, 1);
/// Where what a call hands back waits for its caller; the frame's number is the call's.
const HANDED_BACK: u32 = u32::MAX - 1;

/// What one step does.
#[derive(Debug, Default)]
struct Access {
    statement: u32,
    reads: Vec<Stretch>,
    writes: Vec<Stretch>,
    /// Whether what it writes is all that is there afterwards.
    overwrites: bool,
    /// Whether the trace depends on it even if nobody reads what it writes.
    demands: bool,
}

/// A trace, as what its steps read and write.
#[derive(Debug)]
pub(crate) struct Dependence {
    accesses: Vec<Access>,
}

impl Dependence {
    pub(crate) fn new(program: &Program, path: &[At]) -> Self {
        let mut accesses = Vec::with_capacity(path.len());
        // The calls that go on, each with the edge that made it.
        let mut calls: Vec<(u32, Option<At>)> = vec![(1, None)];
        let mut next = 2;
        for (number, at) in path.iter().copied().enumerate() {
            let Some((frame, _)) = calls.last().copied() else { break };
            let statement = edge(program, at).statement;
            let function = at.function;
            for command in &edge(program, at).commands {
                let mut reader =
                    Reader { program, function, frame, access: Access { statement, ..Access::default() } };
                reader.command(command);
                let branches =
                    program.functions[function as usize].edges_of(edge(program, at).from).len() > 1;
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
                            in_frame(program, into.function, next, parameter.offset, end)
                        }));
                        accesses.push(access);
                        calls.push((next, Some(at)));
                        next += 1;
                    }
                    Command::Return(_) => {
                        access.writes.push((HANDED_BACK, frame, frame + 1));
                        accesses.push(access);
                        let call = calls.pop().and_then(|(_, call)| call);
                        let (Some(call), Some((caller, _))) = (call, calls.last().copied()) else { continue };
                        accesses.extend(result_access(program, call, caller, frame));
                    }
                    _ => accesses.push(access),
                }
            }
        }
        Self { accesses }
    }

    /// The statements that what is asked of the trace can depend on, in order.
    pub(crate) fn slice(&self) -> BTreeSet<u32> {
        let mut wanted: Vec<Stretch> = Vec::new();
        let mut slice = BTreeSet::new();
        for access in self.accesses.iter().rev() {
            let matters = access.demands || meet(&access.writes, &wanted);
            if !matters {
                continue;
            }
            slice.insert(access.statement);
            if access.overwrites {
                wanted.retain(|one| !access.writes.iter().any(|write| covers(*write, *one)));
            }
            wanted.extend(access.reads.iter().copied());
            wanted.sort_unstable();
            wanted.dedup();
        }
        slice
    }

    /// The assignments that use what these statements make, at first or second hand, in order.
    pub(crate) fn transitive(&self, program: &Program, statements: &[u32]) -> BTreeSet<u32> {
        let mut wrong: Vec<Stretch> = Vec::new();
        let mut told = BTreeSet::new();
        for access in &self.accesses {
            let is_one = statements.binary_search(&access.statement).is_ok();
            let kind = program.statements[access.statement as usize].kind;
            if is_one && matches!(kind, StatementKind::Branch) {
                continue;
            }
            if is_one || meet(&access.reads, &wrong) {
                if !is_one && !access.writes.is_empty() && kind != StatementKind::Constraint {
                    told.insert(access.statement);
                }
                wrong.extend(access.writes.iter().copied());
                wrong.sort_unstable();
                wrong.dedup();
            } else if access.overwrites {
                wrong.retain(|one| !access.writes.iter().any(|write| covers(*write, *one)));
            }
        }
        told
    }
}

/// What the caller does with what a call hands back.
fn result_access(program: &Program, call: At, caller: u32, frame: u32) -> Option<Access> {
    let (Command::Call { result, .. } | Command::CallPointer { result, .. }) =
        edge(program, call).commands.last()?
    else {
        return None;
    };
    let place = result.as_ref()?;
    let access = Access {
        statement: edge(program, call).statement,
        reads: vec![(HANDED_BACK, frame, frame + 1)],
        ..Access::default()
    };
    let mut reader = Reader { program, function: call.function, frame: caller, access };
    reader.write(place);
    Some(reader.access)
}

fn meet(some: &[Stretch], others: &[Stretch]) -> bool {
    some.iter().any(|one| others.iter().any(|other| one.0 == other.0 && one.1 < other.2 && other.1 < one.2))
}

fn covers(whole: Stretch, part: Stretch) -> bool {
    whole != BEHIND_POINTERS && whole.0 == part.0 && whole.1 <= part.1 && part.2 <= whole.2
}

/// A stretch of a frame, or where it can be pointed to, all such memory.
fn in_frame(program: &Program, function: u32, frame: u32, start: u32, end: u32) -> Stretch {
    let objects = &program.functions[function as usize].objects;
    let pointed = objects.iter().any(|object| object.offset < end && start < object.offset + object.size);
    if pointed { BEHIND_POINTERS } else { (frame, start, end) }
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
                self.access.writes.push(BEHIND_POINTERS);
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
                self.access.reads.push(BEHIND_POINTERS);
                self.access.writes.push(BEHIND_POINTERS);
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
                BEHIND_POINTERS
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
        let mut end = place.offset + bytes;
        for index in &place.indices {
            self.expr(&index.value);
            self.access.demands |= !matches!(index.value, Expr::Constant(_));
            end = end.saturating_add(index.stride.saturating_mul(index.length.saturating_sub(1)));
        }
        match &place.base {
            Base::Local => in_frame(self.program, self.function, self.frame, place.offset, end),
            Base::Global => {
                let pointed = self.program.globals.objects.iter().any(|object| match object.place {
                    StaticPlace::Global(start) => start < end && place.offset < start + object.size,
                    StaticPlace::Constant(_) | StaticPlace::Function(_) => false,
                });
                if pointed { BEHIND_POINTERS } else { (GLOBALS, place.offset, end) }
            }
            Base::Of(_) => BEHIND_POINTERS,
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Constant(_) => {}
            Expr::Load(place) => {
                let stretch = self.stretch(place, place.scalar.bytes());
                self.access.reads.push(stretch);
            }
            Expr::Deref(_, pointer) => {
                self.expr(pointer);
                self.access.reads.push(BEHIND_POINTERS);
                self.access.demands = true;
            }
            Expr::Unary(_, one) | Expr::Wrap(_, one) => self.expr(one),
            Expr::Binary(operator, one, other) => {
                self.access.demands |= matches!(operator, Binary::Divide | Binary::Remainder);
                self.expr(one);
                self.expr(other);
            }
            Expr::AndAlso(one, other) | Expr::OrElse(one, other) => {
                self.expr(one);
                self.expr(other);
            }
            Expr::Choose(one, two, three) => [one, two, three].into_iter().for_each(|one| self.expr(one)),
            Expr::Ask(_, arguments) | Expr::Apply(_, arguments) => {
                self.access.demands = true;
                arguments.iter().for_each(|argument| self.expr(argument));
            }
        }
    }
}
