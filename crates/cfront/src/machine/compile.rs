//! A program of the model made ready to run: expressions as code, events numbered.

use model::{
    Argument, Builtin, Code, Command, Expr, Failure, FrameObject, Outcome, Parameter, Place, Program, Region,
    Scalar, compile, compile_place,
};
use rustc_hash::FxHashMap;
use source::Span;

use super::events::MOST_LABELS;
use super::scene;
use crate::lower::Refusal;

/// What a step is told as: a statement, and which way it went.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Label {
    pub(crate) statement: u32,
    pub(crate) outcome: Option<Outcome>,
}

#[derive(Debug)]
pub(crate) struct Machine {
    pub(crate) program: Program,
    pub(crate) functions: Vec<CompiledFunction>,
    pub(crate) labels: Vec<Label>,
    /// By label, whether its steps concern one thread only and are taken before all others.
    pub(crate) early: Vec<bool>,
    pub(crate) initial: Vec<u8>,
    /// The values of inputs, in the order in which they are asked for; all values are tried without them.
    pub(crate) inputs: Option<Vec<i64>>,
    /// Whether threads that access the same memory at once are looked for.
    pub(crate) races: bool,
}

#[derive(Debug)]
pub(crate) struct CompiledFunction {
    pub(crate) size: usize,
    pub(crate) temporaries: usize,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) objects: Vec<FrameObject>,
    pub(crate) locations: Vec<CompiledLocation>,
    pub(crate) edges: Vec<CompiledEdge>,
    pub(crate) entry: u32,
}

#[derive(Debug)]
pub(crate) struct CompiledLocation {
    pub(crate) first: u32,
    pub(crate) count: u32,
    pub(crate) boundary: bool,
    /// Other threads see or hinder what comes next.
    pub(crate) visible: bool,
    /// Until the step that begins here ends, nothing is visible, and no loop begins.
    pub(crate) private: bool,
    pub(crate) question: Option<Question>,
}

/// What decides between two edges.
#[derive(Debug)]
pub(crate) struct Question {
    pub(crate) code: Code,
    /// What a step is told as that ends with asking it.
    pub(crate) label: u32,
}

#[derive(Debug)]
pub(crate) struct CompiledEdge {
    pub(crate) to: u32,
    pub(crate) label: u32,
    /// Without the assumption that a question of the location has decided.
    pub(crate) acts: Vec<Act>,
}

#[derive(Debug)]
pub(crate) enum Act {
    SetLocal { offset: u32, scalar: Scalar, value: Code },
    Set { place: Code, scalar: Scalar, value: Code },
    Store { address: Code, scalar: Scalar, value: Code },
    Copy { to: Area, from: Area, size: u32 },
    Clear { at: Area, size: u32 },
    Touch { at: Area, size: Code, writes: bool, atomic: bool },
    Assume(Code),
    Assert(Code),
    Fail(Failure),
    Nondet { place: Code, scalar: Scalar, range: Option<(Code, Code)> },
    Call { function: u32, arguments: Vec<Handed>, result: Option<(Code, Scalar)> },
    CallPointer { pointer: Code, arguments: Vec<Handed>, result: Option<(Code, Scalar)> },
    Return(Option<Handed>),
    Exit,
    Builtin { which: Builtin, arguments: Vec<Code>, result: Option<(Code, Scalar)> },
}

/// Code for where a piece of memory is.
#[derive(Debug)]
pub(crate) enum Area {
    /// A position in the state.
    Place(Code),
    Pointer(Code),
}

#[derive(Debug)]
pub(crate) enum Handed {
    Value(Code),
    Block(Area, u32),
}

impl Machine {
    pub(crate) fn new(program: Program, inputs: Option<Vec<i64>>, races: bool) -> Result<Self, Refusal> {
        let mut compiler = Compiler { labels: Vec::new(), known: FxHashMap::default() };
        let mut functions = Vec::with_capacity(program.functions.len());
        for function in &program.functions {
            functions.push(compiler.function(&program, function)?);
        }
        let labels = compiler.labels;
        if labels.len() > MOST_LABELS {
            return Err(Refusal { span: Span::default(), message: "the program is too long".to_owned() });
        }
        let initial = scene::initial(&program, &functions);
        let early = early(&functions, labels.len());
        Ok(Self { program, functions, labels, early, initial, inputs, races })
    }
}

/// By label, whether a step with it can begin where all steps are private.
fn early(functions: &[CompiledFunction], labels: usize) -> Vec<bool> {
    let mut early = vec![false; labels];
    for function in functions {
        for location in function.locations.iter().filter(|location| location.private) {
            let own = &function.edges[location.first as usize..][..location.count as usize];
            let asked = location.question.as_ref().map(|question| question.label);
            for label in own.iter().map(|edge| edge.label).chain(asked) {
                early[label as usize] = true;
            }
        }
    }
    early
}

pub(super) struct Compiler {
    pub(super) labels: Vec<Label>,
    pub(super) known: FxHashMap<Label, u32>,
}

impl Compiler {
    pub(super) fn function(
        &mut self,
        program: &Program,
        of: &model::Function,
    ) -> Result<CompiledFunction, Refusal> {
        let mut locations = Vec::with_capacity(of.locations.len());
        let mut edges = Vec::with_capacity(of.edges.len());
        for (number, location) in of.locations.iter().enumerate() {
            let own = of.edges_of(number as u32);
            let question = question(own);
            let spans = |edge: &model::Edge| program.statements[edge.statement as usize].span;
            let asked = match (question, own.first()) {
                (Some(question), Some(edge)) => {
                    let label = self.label(Label { statement: edge.statement, outcome: None });
                    Some(Question { code: code(question, spans(edge))?, label })
                }
                _ => None,
            };
            locations.push(CompiledLocation {
                first: edges.len() as u32,
                count: own.len() as u32,
                boundary: location.boundary,
                visible: own.iter().any(|edge| edge.visible),
                private: is_private(of, number as u32),
                question: asked,
            });
            let decided = usize::from(question.is_some());
            for edge in own {
                let span = spans(edge);
                let acts = edge.commands[decided..].iter().map(|command| act(command, span));
                edges.push(CompiledEdge {
                    to: edge.to,
                    label: self.label(Label { statement: edge.statement, outcome: edge.outcome.clone() }),
                    acts: acts.collect::<Result<_, _>>()?,
                });
            }
        }
        Ok(CompiledFunction {
            size: of.frame.size as usize,
            temporaries: of.temporaries as usize,
            parameters: of.parameters.clone(),
            objects: of.objects.clone(),
            locations,
            edges,
            entry: of.entry,
        })
    }

    fn label(&mut self, label: Label) -> u32 {
        let next = self.labels.len() as u32;
        let number = *self.known.entry(label.clone()).or_insert(next);
        if number == next {
            self.labels.push(label);
        }
        number
    }
}

/// Whether a step from here is of no concern to other threads.
fn is_private(function: &model::Function, start: u32) -> bool {
    if function.locations[start as usize].loop_head {
        return false;
    }
    let mut seen = vec![start];
    let mut next = 0;
    while let Some(location) = seen.get(next).copied() {
        next += 1;
        for edge in function.edges_of(location) {
            if edge.visible {
                return false;
            }
            let to = function.locations[edge.to as usize];
            if !to.boundary && !seen.contains(&edge.to) {
                if to.loop_head || seen.len() > 64 {
                    return false;
                }
                seen.push(edge.to);
            }
        }
    }
    true
}

/// What two edges ask the opposite of, before they do anything.
fn question(edges: &[model::Edge]) -> Option<&Expr> {
    let [yes, no] = edges else { return None };
    match (yes.commands.first()?, no.commands.first()?) {
        (Command::Assume(question), Command::Assume(Expr::Unary(model::Unary::Not, opposite)))
            if **opposite == *question =>
        {
            Some(question)
        }
        _ => None,
    }
}

fn code(expr: &Expr, span: Span) -> Result<Code, Refusal> {
    compile(expr).map_err(|error| Refusal { span, message: error.to_string() })
}

fn place(place: &Place, span: Span) -> Result<Code, Refusal> {
    compile_place(place).map_err(|error| Refusal { span, message: error.to_string() })
}

fn area(region: &Region, span: Span) -> Result<Area, Refusal> {
    Ok(match region {
        Region::Place(at) => Area::Place(place(at, span)?),
        Region::Address(pointer) => Area::Pointer(code(pointer, span)?),
    })
}

fn handed(argument: &Argument, span: Span) -> Result<Handed, Refusal> {
    Ok(match argument {
        Argument::Value(value) => Handed::Value(code(value, span)?),
        Argument::Block(region, size) => Handed::Block(area(region, span)?, *size),
    })
}

fn act(command: &Command, span: Span) -> Result<Act, Refusal> {
    let result =
        |result: &Option<Place>| result.as_ref().map(|to| Ok((place(to, span)?, to.scalar))).transpose();
    let all = |arguments: &[Argument]| {
        arguments.iter().map(|argument| handed(argument, span)).collect::<Result<Vec<_>, Refusal>>()
    };
    Ok(match command {
        Command::Set(to, value) if to.base == model::Base::Local && to.indices.is_empty() => {
            Act::SetLocal { offset: to.offset, scalar: to.scalar, value: code(value, span)? }
        }
        Command::Set(to, value) => {
            Act::Set { place: place(to, span)?, scalar: to.scalar, value: code(value, span)? }
        }
        Command::Store { address, scalar, value } => {
            Act::Store { address: code(address, span)?, scalar: *scalar, value: code(value, span)? }
        }
        Command::Copy { to, from, size } => {
            Act::Copy { to: area(to, span)?, from: area(from, span)?, size: *size }
        }
        Command::Clear { at, size } => Act::Clear { at: area(at, span)?, size: *size },
        Command::Touch { at, size, writes, atomic } => {
            Act::Touch { at: area(at, span)?, size: code(size, span)?, writes: *writes, atomic: *atomic }
        }
        Command::Assume(value) => Act::Assume(code(value, span)?),
        Command::Assert(value) => Act::Assert(code(value, span)?),
        Command::Fail(failure) => Act::Fail(*failure),
        Command::Nondet { place: to, range } => {
            let range = range.as_ref().map(|(low, high)| Ok((code(low, span)?, code(high, span)?)));
            Act::Nondet { place: place(to, span)?, scalar: to.scalar, range: range.transpose()? }
        }
        Command::Call { function, arguments, result: to } => {
            Act::Call { function: function.0, arguments: all(arguments)?, result: result(to)? }
        }
        Command::CallPointer { pointer, arguments, result: to } => Act::CallPointer {
            pointer: code(pointer, span)?,
            arguments: all(arguments)?,
            result: result(to)?,
        },
        Command::Return(value) => Act::Return(value.as_ref().map(|value| handed(value, span)).transpose()?),
        Command::Exit => Act::Exit,
        Command::Builtin { which, arguments, result: to } => {
            let arguments = arguments.iter().map(|value| code(value, span));
            Act::Builtin {
                which: *which,
                arguments: arguments.collect::<Result<_, _>>()?,
                result: result(to)?,
            }
        }
    })
}
