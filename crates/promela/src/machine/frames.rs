//! Where variables lie: the globals behind the header of a state, the locals of a process behind the
//! header of its frame.

use std::sync::Arc;

use model::{Layout, Record, Scalar, Type as Shape};

use crate::resolve::{Owner, Process, Program, Type, VarId};
use crate::syntax::ProcessKind;

/// Bytes before the globals: who holds control, how many processes, how many channels, who moved last.
pub(crate) const STATE_HEADER: u32 = 4;
/// Bytes that the place of a trace assertion takes, right behind the header, if there is one.
pub(crate) const TRACE_BYTES: u32 = 2;
/// Bytes before the locals of a process: its kind, its location (two bytes), its priority.
pub(crate) const FRAME_HEADER: u32 = 4;

/// The frames of a program.
#[derive(Debug)]
pub(crate) struct Frames {
    pub(crate) globals: Layout,
    /// By process.
    pub(crate) locals: Vec<Layout>,
    records: Vec<Arc<Record>>,
    /// From the start of the state or of the frame, by variable.
    offsets: Vec<u32>,
}

impl Frames {
    pub(crate) fn new(program: &Program) -> Self {
        let mut records: Vec<Arc<Record>> = Vec::new();
        for record in &program.records {
            let fields = record
                .fields
                .iter()
                .map(|field| (field.name.clone(), array(shape(&records, field.ty), field.length)));
            let made = Record::new(record.name.clone(), fields.collect::<Vec<_>>());
            records.push(Arc::new(made));
        }
        let empty = |header| Layout { fields: Vec::new(), size: header };
        let is_trace = |process: &Process| matches!(process.kind, ProcessKind::Trace | ProcessKind::NoTrace);
        let trace = if program.processes.iter().any(is_trace) { TRACE_BYTES } else { 0 };
        let mut frames = Self {
            globals: empty(STATE_HEADER + trace),
            locals: program.processes.iter().map(|_| empty(FRAME_HEADER)).collect(),
            records,
            offsets: Vec::new(),
        };
        for variable in &program.variables {
            let kind = array(shape(&frames.records, variable.ty), variable.length);
            let layout = match variable.owner {
                Owner::Global => &mut frames.globals,
                Owner::Parameter(process, _) | Owner::Local(process) => {
                    &mut frames.locals[process.0 as usize]
                }
            };
            frames.offsets.push(layout.add(variable.name.clone(), kind));
        }
        frames
    }

    pub(crate) fn offset(&self, variable: VarId) -> u32 {
        self.offsets[variable.0 as usize]
    }

    pub(crate) fn record(&self, record: u32) -> &Record {
        &self.records[record as usize]
    }

    /// The bytes of one value of a type.
    pub(crate) fn size(&self, kind: Type) -> u32 {
        shape(&self.records, kind).size()
    }
}

/// How an element of an array is stored: SPIN gives each bit of an array a byte, and so never cuts it.
pub(crate) fn element_scalar(kind: Type) -> Scalar {
    match kind {
        Type::Bit | Type::Bool => Scalar::U8,
        other => scalar(other),
    }
}

/// How a type that is no record is stored.
pub(crate) fn scalar(kind: Type) -> Scalar {
    match kind {
        Type::Bit | Type::Bool => Scalar::BIT,
        Type::Short => Scalar::I16,
        Type::Int => Scalar::I32,
        Type::Unsigned(bits) => Scalar::unsigned(bits.clamp(1, 32)),
        Type::Byte | Type::Pid | Type::Mtype(_) | Type::Chan | Type::Record(_) => Scalar::U8,
    }
}

fn shape(records: &[Arc<Record>], kind: Type) -> Shape {
    match kind {
        Type::Record(record) => Shape::Record(records[record.0 as usize].clone()),
        other => Shape::Scalar(scalar(other)),
    }
}

fn array(element: Shape, length: Option<u32>) -> Shape {
    match length {
        Some(length) => Shape::Array(Box::new(element), length),
        None => element,
    }
}
