//! The ranges of inputs that a program assumes right after it takes them.
//!
//! `x = __VERIFIER_nondet_int(); __VERIFIER_assume(0 <= x && x < n);` has `n` values to try. The assumption
//! may also be written as `if (!(...)) abort();`, or in the entry function as `if (...) return 0;`. Between
//! input and assumption there may be declarations, other inputs and assumptions on them, as long as nothing
//! can go wrong there: values that the assumption rules out are then never missed. The assumption itself
//! stays where it is, so a range that is too wide is no mistake.

use model::Scalar;
use rustc_hash::FxHashMap;

use super::arguments;
use crate::tree::{
    Arithmetic, Callee, Comparison, ExprId, ExprKind, FunctionId, InitValue, Initializer, Int, Logic,
    ObjectId, PlaceId, PlaceKind, Program, StmtId, StmtKind, Type, TypeId, Unary,
};

/// The values of an input: at least all of the one, at most all of the other.
#[derive(Clone, Debug, Default)]
pub(super) struct Range {
    pub(super) least: Vec<Bound>,
    pub(super) most: Vec<Bound>,
}

impl Range {
    fn of_numbers(least: i64, most: i64) -> Self {
        let number = |plus| vec![Bound { base: None, plus }];
        Self { least: number(least), most: number(most) }
    }
}

/// A number, or what an expression is worth when the input is taken, plus a number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound {
    pub(super) base: Option<ExprId>,
    pub(super) plus: i64,
}

/// What is given the value of an input.
#[derive(Clone, Copy, Debug)]
enum Target {
    Variable(ObjectId),
    Other(PlaceId),
}

/// Whether calling a function means to assume its argument: by its name, or because all it does is to end the
/// program if the argument is 0.
pub(super) fn is_assumption(tree: &Program, function: FunctionId) -> bool {
    let function = &tree[function];
    if matches!(&*function.name, "__VERIFIER_assume" | "assume_abort_if_not") {
        return true;
    }
    let (Some(body), [parameter]) = (function.body, &function.parameters[..]) else { return false };
    let StmtKind::Block(stmts) = &tree[body].kind else { return false };
    let [test, rest @ ..] = &stmts[..] else { return false };
    let goes_on =
        rest.iter().all(|stmt| matches!(tree[*stmt].kind, StmtKind::Empty | StmtKind::Return(None)));
    let StmtKind::If { condition, then, otherwise: None } = tree[*test].kind else { return false };
    let finder =
        Finder { tree, target: Target::Variable(*parameter), changed: Vec::new(), range: Range::default() };
    let is_zero = match tree[unconverted(tree, condition)].kind {
        ExprKind::Unary { op: Unary::Not, operand } => finder.is_target(operand),
        ExprKind::Compare { op: Comparison::Equal, left, right } => {
            finder.is_target(left) && constant(tree, right) == Some(0)
        }
        _ => false,
    };
    goes_on && is_zero && finder.ends_program(then)
}

/// Functions of the library that yield a value nobody knows, with the least and the largest it can be. Where
/// these are beyond its type, that of the type counts.
const INPUTS: &[(&str, i64, i64)] = &[
    ("rand", 0, RAND_MAX),
    ("rand_r", 0, RAND_MAX),
    ("random", 0, RAND_MAX),
    // A character, or the end of the file.
    ("getchar", -1, 255),
    ("getc", -1, 255),
    ("fgetc", -1, 255),
    ("getchar_unlocked", -1, 255),
    ("getc_unlocked", -1, 255),
    ("feof", 0, 1),
    ("ferror", 0, 1),
    // -1 is for a clock that is not there.
    ("time", -1, i64::MAX),
    ("clock", -1, i64::MAX),
    ("getpid", 1, i64::MAX),
    ("fileno", -1, i64::MAX),
    // How much was printed, or that it failed.
    ("printf", -1, i64::MAX),
    ("fprintf", -1, i64::MAX),
    ("vprintf", -1, i64::MAX),
    ("vfprintf", -1, i64::MAX),
    ("puts", -1, i64::MAX),
    ("fputs", -1, i64::MAX),
    ("fflush", -1, 0),
    ("fclose", -1, 0),
    ("setvbuf", -1, 0),
    // How much time was left.
    ("sleep", 0, i64::MAX),
    ("usleep", -1, 0),
    ("nanosleep", -1, 0),
];

/// What `<stdlib.h>` says here, and on the systems that programs come from.
const RAND_MAX: i64 = i32::MAX as i64;

/// Whether it is a function of the library whose value is an input.
pub(super) fn is_input(name: &str) -> bool {
    INPUTS.iter().any(|(known, ..)| *known == name)
}

/// The least and the largest value that a call which takes an input can have, if those are not just the
/// limits of its type.
pub(super) fn natural_range(tree: &Program, call: ExprId) -> Option<(i64, i64)> {
    let ExprKind::Call { callee: Callee::Direct(function), .. } = tree[call].kind else { return None };
    let name = &*tree[function].name;
    let ty = tree[call].ty;
    if name == "__VERIFIER_nondet_bool"
        || name == "__VERIFIER_nondet__Bool"
        || tree.types.get(ty) == Type::Bool
    {
        return Some((0, 1));
    }
    let (_, low, high) = INPUTS.iter().find(|(known, ..)| *known == name)?;
    let (least, most) = limits(tree, ty)?;
    Some(((*low).max(least), (*high).min(most)))
}

/// The least and the largest value of an integer type, as far as they are numbers of 64 bits with a sign.
fn limits(tree: &Program, ty: TypeId) -> Option<(i64, i64)> {
    let Int { bits, signed } = tree.types.int(ty)?;
    Some(if bits < 64 || signed { Scalar { bits, signed }.bounds() } else { (0, i64::MAX) })
}

/// Whether none of the conversions from the call of a function to the value of an expression of this type
/// changes a value from `low` to `high`.
fn keeps(tree: &Program, mut expr: ExprId, ty: TypeId, low: i64, high: i64) -> bool {
    let holds = |ty| limits(tree, ty).is_some_and(|(least, most)| least <= low && high <= most);
    while let ExprKind::Convert { operand, .. } = tree[expr].kind {
        if !holds(tree[expr].ty) {
            return false;
        }
        expr = operand;
    }
    holds(ty)
}

pub(super) fn ranges(tree: &Program) -> FxHashMap<ExprId, Range> {
    let mut ranges = FxHashMap::default();
    let argv = arguments::parameters(tree).and_then(|(_, argv)| argv);
    for stmt in &tree.stmts {
        if let StmtKind::Block(stmts) = &stmt.kind {
            for (index, stmt) in stmts.iter().enumerate() {
                for (target, ty, value) in inputs(tree, *stmt, argv) {
                    let call = unconverted(tree, value);
                    let natural = natural_range(tree, call);
                    // What is known of the variable is not known of the input.
                    if natural.is_some_and(|(low, high)| !keeps(tree, value, ty, low, high)) {
                        continue;
                    }
                    let range = natural.map(|(low, high)| Range::of_numbers(low, high)).unwrap_or_default();
                    let mut finder = Finder { tree, target, changed: Vec::new(), range };
                    finder.follow(&stmts[index + 1..]);
                    if let Some(range) = finder.range(ty) {
                        ranges.insert(call, range);
                    }
                }
            }
        }
    }
    ranges
}

/// What a statement gives the value of an input, with its type and the expression for the value.
fn inputs(tree: &Program, stmt: StmtId, argv: Option<ObjectId>) -> Vec<(Target, TypeId, ExprId)> {
    let is_input = |value: ExprId| {
        let call = unconverted(tree, value);
        input(tree, value).is_some()
            || argv.is_some_and(|argv| arguments::parsed_word(tree, call, argv).is_some())
    };
    match &tree[stmt].kind {
        StmtKind::Expr(expr) => {
            let ExprKind::Assign { place, value, .. } = tree[unconverted(tree, *expr)].kind else {
                return Vec::new();
            };
            let target = match tree[place].kind {
                PlaceKind::Variable(object) => Target::Variable(object),
                _ => Target::Other(place),
            };
            is_input(value).then_some((target, tree[place].ty, value)).into_iter().collect()
        }
        StmtKind::Declare(objects) => objects
            .iter()
            .filter_map(|object| {
                let value = only_value(tree[*object].init.as_ref()?)?;
                is_input(value).then_some((Target::Variable(*object), tree[*object].ty, value))
            })
            .collect(),
        _ => Vec::new(),
    }
}

fn only_value(init: &Initializer) -> Option<ExprId> {
    match &init.entries[..] {
        [entry] if entry.offset == 0 => match entry.value {
            InitValue::Expr(value) => Some(value),
            InitValue::String(_) => None,
        },
        _ => None,
    }
}

/// The call that takes an input, if that is all the expression is.
fn input(tree: &Program, expr: ExprId) -> Option<ExprId> {
    let expr = unconverted(tree, expr);
    match &tree[expr].kind {
        ExprKind::Call { callee: Callee::Direct(function), .. } => {
            let function = &tree[*function];
            (function.is_nondet() || is_input(&function.name)).then_some(expr)
        }
        _ => None,
    }
}

pub(super) fn unconverted(tree: &Program, mut expr: ExprId) -> ExprId {
    while let ExprKind::Convert { operand, .. } = tree[expr].kind {
        expr = operand;
    }
    expr
}

struct Finder<'t> {
    tree: &'t Program,
    target: Target,
    /// Variables that were given values since the input.
    changed: Vec<ObjectId>,
    range: Range,
}

impl Finder<'_> {
    /// Reads the bounds off the statements, up to the first that may do anything else.
    fn follow(&mut self, stmts: &[StmtId]) {
        for stmt in stmts {
            let goes_on = match &self.tree[*stmt].kind {
                StmtKind::Empty => true,
                StmtKind::Declare(objects) => objects.iter().all(|object| self.passes_declaration(*object)),
                StmtKind::Expr(expr) => self.passes(unconverted(self.tree, *expr)),
                StmtKind::If { condition, then, otherwise: None } if self.leaves(*then) => {
                    self.assume(*condition, false);
                    self.is_harmless(*condition)
                }
                _ => false,
            };
            if !goes_on {
                return;
            }
        }
    }

    fn passes_declaration(&mut self, object: ObjectId) -> bool {
        self.changed.push(object);
        match &self.tree[object].init {
            None => true,
            Some(init) => init.entries.iter().all(|entry| match entry.value {
                InitValue::Expr(value) => self.is_input_or_harmless(value),
                InitValue::String(_) => true,
            }),
        }
    }

    fn passes(&mut self, expr: ExprId) -> bool {
        match &self.tree[expr].kind {
            ExprKind::Call { callee: Callee::Direct(function), arguments } => match &arguments[..] {
                [condition] if is_assumption(self.tree, *function) => {
                    self.assume(*condition, true);
                    self.is_harmless(*condition)
                }
                _ => false,
            },
            ExprKind::Assign { place, value, .. } => match (self.tree[*place].kind, self.target) {
                (PlaceKind::Variable(object), Target::Variable(target)) if object != target => {
                    self.changed.push(object);
                    self.is_input_or_harmless(*value)
                }
                _ => false,
            },
            _ => false,
        }
    }

    fn is_input_or_harmless(&self, value: ExprId) -> bool {
        input(self.tree, value).is_some() || self.is_harmless(value)
    }

    /// Whether evaluating an expression changes nothing and cannot go wrong.
    fn is_harmless(&self, expr: ExprId) -> bool {
        match self.tree[expr].kind {
            ExprKind::Int(_) | ExprKind::Float(_) => true,
            ExprKind::Load { place, .. } => {
                matches!(self.tree[place].kind, PlaceKind::Variable(_)) || self.is_target(expr)
            }
            ExprKind::Convert { operand, .. } | ExprKind::Unary { operand, .. } => self.is_harmless(operand),
            ExprKind::Binary { op, left, right } => {
                !matches!(op, Arithmetic::Divide | Arithmetic::Remainder)
                    && self.is_harmless(left)
                    && self.is_harmless(right)
            }
            ExprKind::Compare { left, right, .. } | ExprKind::Logical { left, right, .. } => {
                self.is_harmless(left) && self.is_harmless(right)
            }
            _ => false,
        }
    }

    /// Whether the program ends there; a return ends it in the entry function only.
    fn leaves(&self, stmt: StmtId) -> bool {
        match &self.tree[stmt].kind {
            StmtKind::Return(value) => {
                let Target::Variable(object) = self.target else { return false };
                self.tree[object].function == Some(self.tree.entry)
                    && value.is_none_or(|value| self.is_harmless(value))
            }
            StmtKind::Block(stmts) => match &stmts[..] {
                [only] => self.leaves(*only),
                _ => false,
            },
            _ => self.ends_program(stmt),
        }
    }

    /// Whether the program ends there in any function.
    fn ends_program(&self, stmt: StmtId) -> bool {
        match &self.tree[stmt].kind {
            StmtKind::Block(stmts) => match &stmts[..] {
                [only] => self.ends_program(*only),
                _ => false,
            },
            StmtKind::Expr(expr) => match &self.tree[unconverted(self.tree, *expr)].kind {
                ExprKind::Call { callee: Callee::Direct(function), arguments } => {
                    matches!(&*self.tree[*function].name, "abort" | "exit" | "_exit" | "_Exit")
                        && arguments.iter().all(|argument| self.is_harmless(*argument))
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// What is known in the end; nothing if there is no limit on one side.
    fn range(mut self, ty: TypeId) -> Option<Range> {
        let unsigned = self.tree.types.int(ty).is_some_and(|int| !int.signed);
        if self.range.least.is_empty() && unsigned {
            self.range.least.push(Bound { base: None, plus: 0 });
        }
        let bounded = !self.range.least.is_empty() && !self.range.most.is_empty();
        bounded.then_some(self.range)
    }

    /// What the condition, or its opposite, says about the input.
    fn assume(&mut self, condition: ExprId, holds: bool) {
        let condition = unconverted(self.tree, condition);
        match self.tree[condition].kind {
            ExprKind::Unary { op: Unary::Not, operand } => self.assume(operand, !holds),
            ExprKind::Logical { op: Logic::And, left, right } if holds => {
                self.assume(left, true);
                self.assume(right, true);
            }
            ExprKind::Logical { op: Logic::Or, left, right } if !holds => {
                self.assume(left, false);
                self.assume(right, false);
            }
            ExprKind::Logical { left, right, .. } => self.either(left, right, holds),
            ExprKind::Compare { op, left, right } => {
                let op = if holds { op } else { opposite(op) };
                if self.is_target(left) {
                    self.compare(op, right);
                } else if self.is_target(right) {
                    self.compare(mirrored(op), left);
                }
            }
            _ => {}
        }
    }

    /// Of two conditions one holds: what both say is known.
    fn either(&mut self, left: ExprId, right: ExprId, holds: bool) {
        let before = std::mem::take(&mut self.range);
        self.assume(left, holds);
        let one = std::mem::take(&mut self.range);
        self.assume(right, holds);
        let other = std::mem::replace(&mut self.range, before);
        let number = |bounds: &[Bound], pick: fn(i64, i64) -> i64| {
            let numbers = bounds.iter().filter(|bound| bound.base.is_none()).map(|bound| bound.plus);
            numbers.reduce(pick)
        };
        if let (Some(one), Some(other)) = (number(&one.least, i64::max), number(&other.least, i64::max)) {
            self.range.least.push(Bound { base: None, plus: one.min(other) });
        }
        if let (Some(one), Some(other)) = (number(&one.most, i64::min), number(&other.most, i64::min)) {
            self.range.most.push(Bound { base: None, plus: one.max(other) });
        }
    }

    fn compare(&mut self, op: Comparison, with: ExprId) {
        let Some(bound) = self.bound(with) else { return };
        let moved = |by: i64| Bound { plus: bound.plus.saturating_add(by), ..bound };
        match op {
            Comparison::Equal => {
                self.range.least.push(bound);
                self.range.most.push(bound);
            }
            Comparison::NotEqual => {}
            Comparison::Less => self.range.most.push(moved(-1)),
            Comparison::LessEqual => self.range.most.push(bound),
            Comparison::Greater => self.range.least.push(moved(1)),
            Comparison::GreaterEqual => self.range.least.push(bound),
        }
    }

    /// What an expression is worth already when the input is taken.
    fn bound(&self, expr: ExprId) -> Option<Bound> {
        if let Some(plus) = constant(self.tree, expr) {
            return Some(Bound { base: None, plus });
        }
        let fits = |int: Int| int.bits < 64 || int.signed;
        let known = self.tree.types.int(self.tree[expr].ty).is_some_and(fits) && self.was_known(expr);
        known.then_some(Bound { base: Some(expr), plus: 0 })
    }

    fn was_known(&self, expr: ExprId) -> bool {
        match self.tree[expr].kind {
            ExprKind::Int(_) => true,
            ExprKind::Load { place, .. } => match (self.tree[place].kind, self.target) {
                (PlaceKind::Variable(object), Target::Variable(target)) => {
                    object != target && !self.changed.contains(&object)
                }
                _ => false,
            },
            ExprKind::Convert { operand, .. } => self.was_known(operand),
            ExprKind::Binary { op: Arithmetic::Add | Arithmetic::Subtract, left, right } => {
                self.was_known(left) && self.was_known(right)
            }
            _ => false,
        }
    }

    /// Whether an expression is the value of the input, and not that of another number made of it.
    fn is_target(&self, mut expr: ExprId) -> bool {
        while let ExprKind::Convert { operand, .. } = self.tree[expr].kind {
            let types = &self.tree.types;
            let (from, to) = (types.int(self.tree[operand].ty), types.int(self.tree[expr].ty));
            let (Some(from), Some(to)) = (from, to) else { return false };
            if from != to && (from.bits >= to.bits || from.signed && !to.signed) {
                return false;
            }
            expr = operand;
        }
        let ExprKind::Load { place, .. } = self.tree[expr].kind else { return false };
        match (self.target, self.tree[place].kind) {
            (Target::Variable(target), PlaceKind::Variable(object)) => target == object,
            (Target::Other(target), _) => same_place(self.tree, target, place),
            _ => false,
        }
    }
}

/// Whether two places are written alike; nothing happens between them.
fn same_place(tree: &Program, one: PlaceId, other: PlaceId) -> bool {
    match (tree[one].kind, tree[other].kind) {
        (PlaceKind::Variable(one), PlaceKind::Variable(other)) => one == other,
        (PlaceKind::Member { record: one, field }, PlaceKind::Member { record: other, field: with }) => {
            field == with && same_place(tree, one, other)
        }
        (PlaceKind::Index { array: one, index }, PlaceKind::Index { array: other, index: with }) => {
            same_place(tree, one, other) && same_value(tree, index, with)
        }
        (PlaceKind::Deref(one), PlaceKind::Deref(other)) => same_value(tree, one, other),
        _ => false,
    }
}

fn same_value(tree: &Program, one: ExprId, other: ExprId) -> bool {
    match (&tree[unconverted(tree, one)].kind, &tree[unconverted(tree, other)].kind) {
        (ExprKind::Int(one), ExprKind::Int(other)) => one == other,
        (ExprKind::Load { place: one, .. }, ExprKind::Load { place: other, .. }) => {
            same_place(tree, *one, *other)
        }
        _ => false,
    }
}

pub(super) fn constant(tree: &Program, expr: ExprId) -> Option<i64> {
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
