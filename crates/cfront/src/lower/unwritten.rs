//! Variables that may be read before anything was written to them.
//!
//! To read a local variable that has no value yet is undefined, if its address is never taken. Where the text shows that
//! no path leads to such a read, there is nothing to look for; of the other variables the machine keeps a mark that says
//! whether they were written ([`model::Primitive::Written`]). So it does no harm if a path is followed here that no run
//! goes: after a label nothing counts as written.

use rustc_hash::FxHashSet;

use super::homes::has_address;
use crate::tree::{
    Callee, ExprId, ExprKind, FunctionId, ObjectId, PlaceId, PlaceKind, Program, StmtId, StmtKind, Storage,
    Type,
};

/// What was written on every path; nothing where no path leads.
type Written = Option<FxHashSet<ObjectId>>;

/// The variables of a program that may be read before they are written.
pub(super) fn unwritten(tree: &Program) -> FxHashSet<ObjectId> {
    let has_address = has_address(tree);
    let is_watched = |id: &ObjectId| {
        let object = &tree[*id];
        let is_plain = !matches!(tree.types.get(object.ty), Type::Array { .. } | Type::Record(_));
        object.storage == Storage::Local
            && object.init.is_none()
            && object.name.is_some()
            && is_plain
            && !has_address[id.index()]
    };
    let watched: FxHashSet<ObjectId> = tree.object_ids().filter(is_watched).collect();
    if watched.is_empty() {
        return watched;
    }
    let mut found = FxHashSet::default();
    for function in tree.function_ids() {
        if watched.iter().any(|id| tree[*id].function == Some(function)) {
            found.extend(in_function(tree, function, &watched));
        }
    }
    found
}

fn in_function(tree: &Program, function: FunctionId, watched: &FxHashSet<ObjectId>) -> FxHashSet<ObjectId> {
    let mut flow = Flow {
        tree,
        watched,
        written: Some(FxHashSet::default()),
        loops: Vec::new(),
        found: FxHashSet::default(),
    };
    if let Some(body) = tree[function].body {
        flow.stmt(body);
    }
    flow.found
}

struct Flow<'t> {
    tree: &'t Program,
    watched: &'t FxHashSet<ObjectId>,
    written: Written,
    /// For each loop and switch, what was written wherever it is left.
    loops: Vec<Written>,
    found: FxHashSet<ObjectId>,
}

fn meet(one: Written, other: Written) -> Written {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.intersection(&other).copied().collect()),
        (one, other) => one.or(other),
    }
}

impl Flow<'_> {
    fn meets(&mut self, other: Written) {
        self.written = meet(self.written.take(), other);
    }

    fn stmt(&mut self, id: StmtId) {
        let tree = self.tree;
        match &tree[id].kind {
            StmtKind::Empty => {}
            StmtKind::Expr(expr) => self.expr(*expr),
            StmtKind::Block(stmts) => stmts.iter().for_each(|stmt| self.stmt(*stmt)),
            StmtKind::Declare(objects) => objects.iter().for_each(|object| self.declared(*object)),
            StmtKind::If { condition, then, otherwise } => {
                self.expr(*condition);
                let before = self.written.clone();
                self.stmt(*then);
                let after = std::mem::replace(&mut self.written, before);
                if let Some(otherwise) = otherwise {
                    self.stmt(*otherwise);
                }
                self.meets(after);
            }
            StmtKind::While { condition, body } => self.repeated(Some(*condition), None, *body),
            StmtKind::For { init, condition, step, body } => {
                init.iter().for_each(|init| self.stmt(*init));
                self.repeated(*condition, *step, *body);
            }
            StmtKind::DoWhile { body, condition } => {
                self.loops.push(None);
                let before = self.written.clone();
                self.stmt(*body);
                // A `continue` may have come before what the body writes.
                if self.continues(*body) {
                    self.meets(before);
                }
                self.expr(*condition);
                self.leave();
            }
            StmtKind::Switch { value, body, default, .. } => {
                self.expr(*value);
                self.loops.push(None);
                let before = self.written.clone();
                self.stmt(*body);
                if default.is_none() {
                    self.meets(before);
                }
                self.leave();
            }
            // Control comes here from elsewhere.
            StmtKind::Target { body } | StmtKind::Label { body, .. } => {
                self.written = Some(FxHashSet::default());
                self.stmt(*body);
            }
            StmtKind::Break => {
                let here = self.written.take();
                if let Some(left) = self.loops.last_mut() {
                    *left = meet(left.take(), here);
                }
            }
            StmtKind::Goto(_) | StmtKind::Continue => self.written = None,
            StmtKind::Return(value) => {
                value.iter().for_each(|value| self.expr(*value));
                self.written = None;
            }
        }
    }

    fn repeated(&mut self, condition: Option<ExprId>, step: Option<ExprId>, body: StmtId) {
        if let Some(condition) = condition {
            self.expr(condition);
        }
        self.loops.push(None);
        let before = self.written.clone();
        self.stmt(body);
        if self.continues(body) {
            self.meets(before.clone());
        }
        step.iter().for_each(|step| self.expr(*step));
        // What the condition reads in later rounds was written before the first, or is found there.
        self.written = condition.and(before);
        self.leave();
    }

    /// The end of a loop or a switch.
    fn leave(&mut self) {
        let left = self.loops.pop().flatten();
        self.meets(left);
    }

    fn continues(&self, body: StmtId) -> bool {
        match &self.tree[body].kind {
            StmtKind::Continue => true,
            StmtKind::Block(stmts) => stmts.iter().any(|stmt| self.continues(*stmt)),
            StmtKind::If { then, otherwise, .. } => {
                self.continues(*then) || otherwise.is_some_and(|stmt| self.continues(stmt))
            }
            StmtKind::Switch { body, .. } | StmtKind::Target { body } | StmtKind::Label { body, .. } => {
                self.continues(*body)
            }
            _ => false,
        }
    }

    /// A variable begins to exist, with the value of its initialiser or none.
    fn declared(&mut self, id: ObjectId) {
        if let Some(init) = &self.tree[id].init {
            for entry in &init.entries {
                if let crate::tree::InitValue::Expr(value) = entry.value {
                    self.expr(value);
                }
            }
        } else if let Some(written) = &mut self.written {
            written.remove(&id);
        }
    }

    fn exprs(&mut self, ids: &[ExprId]) {
        ids.iter().for_each(|id| self.expr(*id));
    }

    /// What may not be evaluated writes nothing for sure.
    fn perhaps(&mut self, id: ExprId) {
        let before = self.written.clone();
        self.expr(id);
        self.meets(before);
    }

    fn expr(&mut self, id: ExprId) {
        let tree = self.tree;
        match &tree[id].kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Function(_) | ExprKind::Address { .. } => {}
            ExprKind::AddressOf(place) | ExprKind::Decay(place) => self.place(*place),
            ExprKind::Load { place, .. } => {
                self.place(*place);
                self.read(*place);
            }
            ExprKind::Unary { operand, .. } | ExprKind::Convert { operand, .. } => self.expr(*operand),
            ExprKind::Binary { left, right, .. }
            | ExprKind::Compare { left, right, .. }
            | ExprKind::PointerDifference { left, right } => self.exprs(&[*left, *right]),
            ExprKind::PointerAdd { pointer, index, .. } => self.exprs(&[*pointer, *index]),
            ExprKind::Logical { left, right, .. } => {
                self.expr(*left);
                self.perhaps(*right);
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                self.expr(*condition);
                let before = self.written.clone();
                self.expr(*then);
                let after = std::mem::replace(&mut self.written, before);
                self.expr(*otherwise);
                self.meets(after);
            }
            ExprKind::OrElse { value, otherwise } => {
                self.expr(*value);
                self.perhaps(*otherwise);
            }
            ExprKind::Comma { first, second } => self.exprs(&[*first, *second]),
            ExprKind::Assign { place, value, .. } => {
                self.place(*place);
                self.expr(*value);
                self.write(*place);
            }
            ExprKind::Compound { place, right, .. } => {
                self.place(*place);
                self.expr(*right);
                self.read(*place);
            }
            ExprKind::Increment { place, .. } => {
                self.place(*place);
                self.read(*place);
            }
            ExprKind::Call { callee, arguments } => {
                if let Callee::Pointer(pointer) = callee {
                    self.expr(*pointer);
                }
                self.exprs(arguments);
            }
            ExprKind::Builtin { arguments, .. } => self.exprs(arguments),
            ExprKind::Statement { body, value } => {
                self.stmt(*body);
                value.iter().for_each(|value| self.expr(*value));
            }
        }
    }

    /// What is evaluated to find out which place it is.
    fn place(&mut self, id: PlaceId) {
        match self.tree[id].kind {
            PlaceKind::Variable(_) | PlaceKind::String(_) => {}
            PlaceKind::Deref(value) | PlaceKind::Temporary(value) => self.expr(value),
            PlaceKind::Index { array, index } => {
                self.place(array);
                self.expr(index);
            }
            PlaceKind::Element { pointer, index } => self.exprs(&[pointer, index]),
            PlaceKind::Member { record, .. } => self.place(record),
            PlaceKind::CompoundLiteral(object) => self.declared(object),
        }
    }

    fn read(&mut self, id: PlaceId) {
        if let PlaceKind::Variable(object) = self.tree[id].kind
            && self.watched.contains(&object)
            && self.written.as_ref().is_some_and(|written| !written.contains(&object))
        {
            self.found.insert(object);
        }
    }

    fn write(&mut self, id: PlaceId) {
        if let PlaceKind::Variable(object) = self.tree[id].kind
            && let Some(written) = &mut self.written
        {
            written.insert(object);
        }
    }
}
