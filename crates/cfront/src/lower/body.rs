//! A function while it becomes an automaton.
//!
//! There is always a location where things go on, and commands that wait for their edge. Every statement
//! starts at a boundary; where a statement needs several edges, the locations between them are none.

use model::{
    Command, Edge, Expr, Field, FrameObject, Function, Layout, Location, Outcome, Parameter, ParameterKind,
    Place, Scalar, StatementKind,
};
use rustc_hash::FxHashMap;
use source::Span;

use super::homes::{aligned, has_address};
use super::types::ScalarKind;
use super::{FRAME, Home, Lowered, Lowering, Refusal, finish};
use crate::tree::{FunctionId, LabelId, ObjectId, StmtId, Storage, Type, TypeId};

/// The statement of an edge that only leads on; it is taken out when the function is done.
pub(super) const SILENT: u32 = u32::MAX;

pub(super) struct Body<'l, 't> {
    pub(super) lowering: &'l mut Lowering<'t>,
    pub(super) function: FunctionId,
    pub(super) id: model::FunctionId,
    frame: Layout,
    objects: Vec<FrameObject>,
    pub(super) locations: Vec<Location>,
    edges: Vec<Edge>,
    /// Where things go on.
    pub(super) at: u32,
    pub(super) commands: Vec<Command>,
    /// How many of the waiting commands only make declared variables 0.
    declared: usize,
    /// Whether the waiting commands use what other threads see.
    pub(super) visible: bool,
    /// The statement of the waiting commands.
    pub(super) statement: u32,
    /// Where temporaries begin, where the next one may lie, and how far they ever came.
    temporaries: u32,
    pub(super) next_temporary: u32,
    last_temporary: u32,
    pub(super) labels: FxHashMap<LabelId, u32>,
    /// Where the cases of switches are.
    pub(super) targets: FxHashMap<StmtId, u32>,
    /// Where `break` and `continue` lead.
    pub(super) breaks: Vec<u32>,
    pub(super) continues: Vec<u32>,
    /// How many statement expressions are open.
    pub(super) nested: u32,
    /// How many atomic operations are open.
    pub(super) atomic: u32,
    /// How deep the walk is.
    pub(super) depth: u32,
}

impl<'l, 't> Body<'l, 't> {
    pub(super) fn new(lowering: &'l mut Lowering<'t>, function: FunctionId, id: model::FunctionId) -> Self {
        let mut body = Self {
            lowering,
            function,
            id,
            frame: Layout { fields: Vec::new(), size: FRAME },
            objects: Vec::new(),
            locations: vec![Location { boundary: true, loop_head: false }],
            edges: Vec::new(),
            at: 0,
            commands: Vec::new(),
            declared: 0,
            visible: false,
            statement: SILENT,
            temporaries: 0,
            next_temporary: 0,
            last_temporary: 0,
            labels: FxHashMap::default(),
            targets: FxHashMap::default(),
            breaks: Vec::new(),
            continues: Vec::new(),
            nested: 0,
            atomic: 0,
            depth: 0,
        };
        body.lay_out();
        body
    }

    /// Gives the variables of the function their places in its frame.
    fn lay_out(&mut self) {
        let tree = self.lowering.tree;
        let has_address = has_address(tree);
        for id in tree.object_ids() {
            let object = &tree[id];
            let local = matches!(object.storage, Storage::Local | Storage::Parameter);
            if !local || object.function != Some(self.function) {
                continue;
            }
            let name = object.name.as_deref().unwrap_or("(...)").to_owned();
            match self.place_local(id, &name, has_address[id.index()]) {
                Ok(home) => self.lowering.homes[id.index()] = home,
                Err(refusal) => self.lowering.refusals.push(refusal),
            }
        }
        self.temporaries = self.frame.size.next_multiple_of(8);
        self.next_temporary = self.temporaries;
        self.last_temporary = self.temporaries;
    }

    fn place_local(&mut self, id: ObjectId, name: &str, has_address: bool) -> Lowered<Home> {
        let object = &self.lowering.tree[id];
        let size = self.lowering.size(object.ty, object.span)?;
        let align = self.lowering.tree.types.layout(object.ty).map_or(8, |layout| layout.align);
        let mark = self.lowering.unwritten.contains(&id).then(|| aligned(&mut self.frame.size, 1, 1));
        let number = has_address.then(|| aligned(&mut self.frame.size, 4, 4));
        let offset = aligned(&mut self.frame.size, size, align.clamp(1, 16) as u32);
        let kind = self.lowering.model_type(object.ty);
        self.frame.fields.push(Field { name: name.to_owned(), kind, offset });
        if let Some(number) = number {
            self.objects.push(FrameObject { name: name.to_owned(), number, offset, size });
        }
        Ok(Home::Local { offset, number, mark })
    }

    pub(super) fn lower(mut self) -> Function {
        let tree = self.lowering.tree;
        let function = &tree[self.function];
        let parameters = function.parameters.iter().filter_map(|parameter| self.parameter(*parameter));
        let parameters: Vec<Parameter> = parameters.collect();
        if self.function == tree.entry {
            self.external_variables();
            self.choose_test();
            self.entry_arguments();
        } else {
            self.count_call();
        }
        if let Some(body) = function.body {
            self.run(body);
        }
        self.end(function.span);
        let size = self.last_temporary.next_multiple_of(8);
        let (locations, edges, entry) = finish::finish(self.locations, self.edges);
        if locations.len() > u16::MAX as usize {
            let message = format!("`{}` is too long", function.name);
            self.lowering.refusals.push(Refusal { span: function.span, message });
        }
        // Floating-point numbers are handed back as doubles, and records by their bytes.
        let result = match self.lowering.kind(function.result, function.span) {
            Ok(ScalarKind::Int(scalar) | ScalarKind::Pointer(scalar)) => scalar,
            _ => Scalar::I64,
        };
        Function {
            name: function.name.to_string(),
            frame: Layout { size, ..self.frame },
            temporaries: self.temporaries,
            parameters,
            result,
            objects: self.objects,
            locations,
            edges,
            entry,
            span: function.span,
        }
    }

    /// Lowers a statement; what is refused in it does not hide what is refused elsewhere.
    pub(super) fn run(&mut self, stmt: StmtId) {
        if let Err(refusal) = self.stmt(stmt) {
            self.lowering.refusals.push(refusal);
        }
    }

    fn parameter(&self, id: ObjectId) -> Option<Parameter> {
        let object = &self.lowering.tree[id];
        let Home::Local { offset, .. } = self.lowering.homes[id.index()] else { return None };
        let kind = match self.lowering.ty(object.ty) {
            Type::Record(_) => ParameterKind::Block(self.lowering.size(object.ty, object.span).ok()?),
            _ => match self.lowering.kind(object.ty, object.span).ok()? {
                ScalarKind::Single => ParameterKind::Single,
                kind => ParameterKind::Value(kind.scalar()),
            },
        };
        Some(Parameter { offset, kind })
    }

    /// Control at the closing brace returns.
    fn end(&mut self, span: Span) {
        self.boundary();
        let end = Span::new(span.start, span.end);
        self.statement = self.lowering.statement(end, StatementKind::Return, self.id);
        let text = format!("return from {}", self.lowering.tree[self.function].name);
        self.lowering.statements[self.statement as usize].text = text;
        let result = self.lowering.tree[self.function].result;
        // `main` returns 0 without saying so; of other functions nobody may use the value.
        let value = (!self.lowering.tree.types.is_void(result)
            && !self.lowering.tree.types.is_record(result))
        .then_some(model::Argument::Value(Expr::Constant(0)));
        if self.ends_test() {
            return self.end_of_test(Command::Return(value));
        }
        self.emit(Command::Return(value));
        self.visible |= self.lowering.threads;
        let end = self.location();
        self.flush(end, None);
    }

    pub(super) fn location(&mut self) -> u32 {
        self.locations.push(Location::default());
        self.locations.len() as u32 - 1
    }

    pub(super) fn emit(&mut self, command: Command) {
        self.commands.push(command);
    }

    /// An edge with all that waits.
    pub(super) fn flush(&mut self, to: u32, outcome: Option<Outcome>) {
        let commands = std::mem::take(&mut self.commands);
        let statement = if commands.is_empty() && outcome.is_none() { SILENT } else { self.statement };
        self.edge(to, commands, statement, outcome);
        self.at = to;
    }

    /// An edge that is a step although it does nothing.
    pub(super) fn jump(&mut self, to: u32) {
        let statement = self.statement;
        self.edge(to, Vec::new(), statement, None);
    }

    fn edge(&mut self, to: u32, commands: Vec<Command>, statement: u32, outcome: Option<Outcome>) {
        let visible = std::mem::take(&mut self.visible);
        self.declared = 0;
        self.edges.push(Edge { from: self.at, to, commands, statement, outcome, visible });
    }

    /// Goes on at a new location inside of the statement.
    pub(super) fn cut(&mut self) {
        let next = self.location();
        self.flush(next, None);
    }

    /// A step ends here, and the next statement begins.
    pub(super) fn boundary(&mut self) {
        if self.commands.len() > self.declared {
            self.cut();
        }
        if self.nested == 0 {
            self.locations[self.at as usize].boundary = true;
        }
    }

    /// Begins a statement.
    pub(super) fn begin(&mut self, span: Span, kind: StatementKind) {
        self.boundary();
        self.statement = self.lowering.statement(span, kind, self.id);
    }

    /// Leads to a location that others lead to as well.
    pub(super) fn join(&mut self, to: u32) {
        if self.declared > 0 && self.declared == self.commands.len() {
            self.commands.clear();
        }
        self.flush(to, None);
    }

    /// A variable that is declared again holds 0, without a step of its own.
    pub(super) fn declare(&mut self, command: Command) {
        if self.declared == self.commands.len() {
            self.commands.push(command);
            self.declared += 1;
        } else {
            self.cut();
            self.commands.push(command);
            self.declared = 1;
        }
    }

    /// Room for a value until the statement ends.
    pub(super) fn temporary(&mut self) -> Place {
        Place::local(self.temporary_block(8), Scalar::I64)
    }

    pub(super) fn temporary_block(&mut self, size: u32) -> u32 {
        let offset = aligned(&mut self.next_temporary, size, 8);
        self.last_temporary = self.last_temporary.max(self.next_temporary);
        offset
    }

    /// Computes the value now.
    pub(super) fn keep(&mut self, value: Expr) -> Expr {
        if let Expr::Constant(_) = value {
            return value;
        }
        let place = self.temporary();
        self.emit(Command::Set(place.clone(), value));
        Expr::Load(place)
    }

    pub(super) fn type_of(&self, ty: TypeId) -> Type {
        self.lowering.ty(ty)
    }

    /// The arguments of the entry function: of `main` words, of another function inputs.
    fn entry_arguments(&mut self) {
        let tree = self.lowering.tree;
        let function = &tree[self.function];
        if function.parameters.is_empty() {
            return;
        }
        self.statement = self.lowering.statement(function.span, StatementKind::Other, self.id);
        self.lowering.statements[self.statement as usize].text = format!("call of {}", function.name);
        if self.ends_test() {
            return self.words_of_test();
        }
        if &*function.name == "main" {
            return self.program_arguments();
        }
        for parameter in &function.parameters {
            let Home::Local { offset, .. } = self.lowering.homes[parameter.index()] else { continue };
            let object = &tree[*parameter];
            match self.lowering.kind(object.ty, object.span) {
                Ok(ScalarKind::Int(scalar)) => {
                    let is_bool = tree.types.get(object.ty) == Type::Bool;
                    let range = if is_bool { Some((0, 1)) } else { self.all_values(scalar) };
                    let range = range.map(|(low, high)| (Expr::Constant(low), Expr::Constant(high)));
                    self.emit(Command::Nondet { place: Place::local(offset, scalar), range });
                }
                _ => {
                    let message = "the entry function has a parameter that is not an integer".to_owned();
                    self.lowering.refusals.push(Refusal { span: object.span, message });
                }
            }
        }
    }
}
