//! The ranges of inputs that a program assumes right after it takes them.
//!
//! `x = __VERIFIER_nondet_int(); __VERIFIER_assume(0 <= x && x <= 4);` has five values to try. The
//! assumption may also be written as `if (!(...)) abort();` or `if (...) return;`. Between input and
//! assumption there may be declarations, other inputs and assumptions on them. The assumption itself stays
//! where it is, so a range that is too wide is no mistake.

use rustc_hash::FxHashMap;

use crate::tree::{
    Callee, Comparison, ExprId, ExprKind, InitValue, Logic, ObjectId, PlaceKind, Program, StmtId, StmtKind,
    Unary,
};

pub(super) fn ranges(tree: &Program) -> FxHashMap<ExprId, (i64, i64)> {
    let mut ranges = FxHashMap::default();
    for stmt in &tree.stmts {
        if let StmtKind::Block(stmts) = &stmt.kind {
            for (index, stmt) in stmts.iter().enumerate() {
                for (object, call) in inputs(tree, *stmt) {
                    if let Some(range) = assumed(tree, object, &stmts[index + 1..]) {
                        ranges.insert(call, range);
                    }
                }
            }
        }
    }
    ranges
}

/// The variables a statement gives the value of an input.
fn inputs(tree: &Program, stmt: StmtId) -> Vec<(ObjectId, ExprId)> {
    match &tree[stmt].kind {
        StmtKind::Expr(expr) => {
            let expr = unconverted(tree, *expr);
            if let ExprKind::Assign { place, value, .. } = tree[expr].kind
                && let PlaceKind::Variable(object) = tree[place].kind
            {
                return input(tree, value).map(|call| (object, call)).into_iter().collect();
            }
            Vec::new()
        }
        StmtKind::Declare(objects) => objects
            .iter()
            .filter_map(|object| match &tree[*object].init.as_ref()?.entries[..] {
                [entry] if entry.offset == 0 => match entry.value {
                    InitValue::Expr(value) => Some((*object, input(tree, value)?)),
                    InitValue::String(_) => None,
                },
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// The call that takes an input, if that is all the expression is.
fn input(tree: &Program, expr: ExprId) -> Option<ExprId> {
    let expr = unconverted(tree, expr);
    match &tree[expr].kind {
        ExprKind::Call { callee: Callee::Direct(function), .. } => {
            let name = &*tree[*function].name;
            (name.starts_with("__VERIFIER_nondet_") || name == "rand").then_some(expr)
        }
        _ => None,
    }
}

fn unconverted(tree: &Program, mut expr: ExprId) -> ExprId {
    while let ExprKind::Convert { operand, .. } = tree[expr].kind {
        expr = operand;
    }
    expr
}

/// The bounds that the statements put on a variable before anything else happens.
fn assumed(tree: &Program, object: ObjectId, stmts: &[StmtId]) -> Option<(i64, i64)> {
    let mut bounds = Bounds { low: None, high: None };
    for stmt in stmts {
        match &tree[*stmt].kind {
            StmtKind::Empty | StmtKind::Declare(_) => {}
            StmtKind::Expr(expr) => {
                let expr = unconverted(tree, *expr);
                match &tree[expr].kind {
                    ExprKind::Call { callee: Callee::Direct(function), arguments } => {
                        let name = &*tree[*function].name;
                        match &arguments[..] {
                            [condition] if matches!(name, "__VERIFIER_assume" | "assume_abort_if_not") => {
                                bounds.assume(tree, object, *condition, true);
                            }
                            _ => break,
                        }
                    }
                    ExprKind::Assign { value, .. } if input(tree, *value).is_some() => {}
                    _ => break,
                }
            }
            StmtKind::If { condition, then, otherwise: None } if leaves(tree, *then) => {
                bounds.assume(tree, object, *condition, false);
            }
            _ => break,
        }
    }
    Some((bounds.low?, bounds.high?)).filter(|(low, high)| low <= high)
}

/// Whether the program or the function ends there.
fn leaves(tree: &Program, stmt: StmtId) -> bool {
    match &tree[stmt].kind {
        StmtKind::Return(_) => true,
        StmtKind::Block(stmts) => stmts.last().is_some_and(|last| leaves(tree, *last)),
        StmtKind::Expr(expr) => match &tree[unconverted(tree, *expr)].kind {
            ExprKind::Call { callee: Callee::Direct(function), .. } => {
                matches!(&*tree[*function].name, "abort" | "exit" | "_exit" | "_Exit")
            }
            _ => false,
        },
        _ => false,
    }
}

struct Bounds {
    low: Option<i64>,
    high: Option<i64>,
}

impl Bounds {
    /// What the condition, or its opposite, says about the variable.
    fn assume(&mut self, tree: &Program, object: ObjectId, condition: ExprId, holds: bool) {
        let condition = unconverted(tree, condition);
        match tree[condition].kind {
            ExprKind::Unary { op: Unary::Not, operand } => self.assume(tree, object, operand, !holds),
            ExprKind::Logical { op: Logic::And, left, right } if holds => {
                self.assume(tree, object, left, true);
                self.assume(tree, object, right, true);
            }
            ExprKind::Logical { op: Logic::Or, left, right } if !holds => {
                self.assume(tree, object, left, false);
                self.assume(tree, object, right, false);
            }
            ExprKind::Logical { op: Logic::Or, left, right } => {
                // Either side must bound it.
                let mut one = Bounds { low: None, high: None };
                let mut other = Bounds { low: None, high: None };
                one.assume(tree, object, left, true);
                other.assume(tree, object, right, true);
                if let (Some(one), Some(other)) = (one.low, other.low) {
                    self.at_least(one.min(other));
                }
                if let (Some(one), Some(other)) = (one.high, other.high) {
                    self.at_most(one.max(other));
                }
            }
            ExprKind::Compare { op, left, right } => {
                let op = if holds { op } else { opposite(op) };
                if is_variable(tree, left, object)
                    && let Some(value) = constant(tree, right)
                {
                    self.compare(op, value);
                } else if is_variable(tree, right, object)
                    && let Some(value) = constant(tree, left)
                {
                    self.compare(mirrored(op), value);
                }
            }
            _ => {}
        }
    }

    fn compare(&mut self, op: Comparison, value: i64) {
        match op {
            Comparison::Equal => {
                self.at_least(value);
                self.at_most(value);
            }
            Comparison::NotEqual => {}
            Comparison::Less => self.at_most(value.saturating_sub(1)),
            Comparison::LessEqual => self.at_most(value),
            Comparison::Greater => self.at_least(value.saturating_add(1)),
            Comparison::GreaterEqual => self.at_least(value),
        }
    }

    fn at_least(&mut self, value: i64) {
        self.low = Some(self.low.map_or(value, |low| low.max(value)));
    }

    fn at_most(&mut self, value: i64) {
        self.high = Some(self.high.map_or(value, |high| high.min(value)));
    }
}

fn is_variable(tree: &Program, expr: ExprId, object: ObjectId) -> bool {
    // A conversion that can change the value would make the bounds those of another number.
    let mut expr = expr;
    while let ExprKind::Convert { operand, .. } = tree[expr].kind {
        let (Some(from), Some(to)) = (tree.types.int(tree[operand].ty), tree.types.int(tree[expr].ty)) else {
            return false;
        };
        let keeps = from == to || from.bits < to.bits && (to.signed || !from.signed);
        if !keeps {
            return false;
        }
        expr = operand;
    }
    match tree[expr].kind {
        ExprKind::Load { place, .. } => matches!(tree[place].kind, PlaceKind::Variable(of) if of == object),
        _ => false,
    }
}

fn constant(tree: &Program, expr: ExprId) -> Option<i64> {
    match tree[expr].kind {
        ExprKind::Int(value) => i64::try_from(value).ok(),
        ExprKind::Unary { op: Unary::Negate, operand } => constant(tree, operand)?.checked_neg(),
        ExprKind::Convert { operand, .. } => {
            let value = constant(tree, operand)?;
            let wrapped = tree.types.int(tree[expr].ty)?.wrap(i128::from(value));
            i64::try_from(wrapped).ok()
        }
        _ => None,
    }
}

fn opposite(op: Comparison) -> Comparison {
    match op {
        Comparison::Equal => Comparison::NotEqual,
        Comparison::NotEqual => Comparison::Equal,
        Comparison::Less => Comparison::GreaterEqual,
        Comparison::LessEqual => Comparison::Greater,
        Comparison::Greater => Comparison::LessEqual,
        Comparison::GreaterEqual => Comparison::Less,
    }
}

fn mirrored(op: Comparison) -> Comparison {
    match op {
        Comparison::Less => Comparison::Greater,
        Comparison::LessEqual => Comparison::GreaterEqual,
        Comparison::Greater => Comparison::Less,
        Comparison::GreaterEqual => Comparison::LessEqual,
        same => same,
    }
}
