//! The functions of the library that are modelled, and the conventions of SV-COMP.

use model::{Binary, Builtin, Command, Expr, Failure, Primitive, Scalar};
use source::Span;

use super::Lowered;
use super::body::Body;
use super::inputs::{Bound, Range, is_assumption, is_input, natural_range};
use super::places::moved;
use super::types::ScalarKind;
use crate::tree::{Callee, ExprId, ExprKind, FunctionId, Program};

/// Called for what they print or forget, with all their arguments evaluated. Who uses what they return takes
/// an input, if that is not 0 for sure.
const IGNORED: &[&str] = &[
    "printf",
    "fprintf",
    "vprintf",
    "vfprintf",
    "puts",
    "fputs",
    "perror",
    "fflush",
    "fclose",
    "setbuf",
    "clearerr",
    "rewind",
    "setvbuf",
    "srand",
    "srandom",
    "sleep",
    "usleep",
    "nanosleep",
    "sched_yield",
    "pthread_yield",
    "thrd_yield",
    "thrd_sleep",
    "atexit",
    "signal",
    "syslog",
    "__printf_chk",
    "__fprintf_chk",
    "ldv_initialize",
    "__VERIFIER_print_hull",
];

/// Print a character and return it.
const PRINTERS: &[&str] = &["putchar", "putc", "fputc", "putchar_unlocked", "putc_unlocked"];

/// Whether nothing is made of the texts that the function is given.
pub(super) fn is_ignored(name: &str) -> bool {
    IGNORED.contains(&name)
}

impl Body<'_, '_> {
    /// The value of a call of a function that is known by its name; none if it is not.
    pub(super) fn library_call(
        &mut self,
        id: ExprId,
        function: FunctionId,
        arguments: &[ExprId],
        wanted: bool,
    ) -> Lowered<Option<Option<Expr>>> {
        let tree = self.lowering.tree;
        let name = &*tree[function].name;
        let span = tree[id].span;
        if let Some(known) = self.convention(id, function, arguments)? {
            return Ok(Some(known));
        }
        if tree[function].body.is_some() {
            return Ok(None);
        }
        if let Some(value) = self.given_call(id, name, arguments)? {
            return Ok(Some(Some(value)));
        }
        if let Some(value) = self.printing_call(id, name, arguments, wanted)? {
            return Ok(Some(Some(value)));
        }
        if let Some(number) = self.number_of_word(id)? {
            return Ok(Some(Some(number)));
        }
        if let Some(which) = builtin_of(name) {
            return self.builtin_call(which, id, arguments, wanted).map(Some);
        }
        if let Some(primitive) = primitive_of(name) {
            let values = self.values(arguments)?;
            if values.len() != primitive.arity() {
                return self.lowering.refuse(span, format!("`{name}` is called with other arguments"));
            }
            let single = self.lowering.kind(tree[id].ty, span)? == ScalarKind::Single;
            let value = Expr::Apply(primitive, values);
            let value = if single { Expr::Apply(Primitive::RoundToSingle, vec![value]) } else { value };
            return Ok(Some(Some(value)));
        }
        if let Some(value) = self.text_call(id, name, arguments)? {
            return Ok(Some(Some(value)));
        }
        if let Some(value) = self.reading_call(id, name, arguments)? {
            return Ok(Some(Some(value)));
        }
        if is_ignored(name) && !(wanted && is_input(name)) {
            self.effects(arguments)?;
            return Ok(Some(Some(Expr::Constant(0))));
        }
        if let (true, [character, rest @ ..]) = (PRINTERS.contains(&name), arguments) {
            let value = self.value(*character)?;
            let value = self.keep(Expr::Wrap(Scalar::U8, Box::new(value)));
            self.effects(rest)?;
            return Ok(Some(Some(value)));
        }
        if is_input(name) {
            return self.input_call(id, name, arguments).map(|value| Some(Some(value)));
        }
        if let Some(test) = character_test(name) {
            let values = self.values(arguments)?;
            let Some(value) = values.into_iter().next() else { return Ok(None) };
            let value = self.keep(value);
            return Ok(Some(Some(test(value))));
        }
        self.rest(id, name, arguments, span)
    }

    fn rest(
        &mut self,
        id: ExprId,
        name: &str,
        arguments: &[ExprId],
        span: Span,
    ) -> Lowered<Option<Option<Expr>>> {
        let tree = self.lowering.tree;
        let value = match (name, arguments) {
            ("abs" | "labs" | "llabs" | "imaxabs", [value]) => {
                let kind = self.lowering.kind(tree[id].ty, span)?;
                let value = self.value(*value)?;
                self.magnitude(value, kind)
            }
            ("isnan" | "__isnan", [value]) => Expr::Apply(Primitive::IsNotANumber, vec![self.value(*value)?]),
            ("exit" | "_Exit" | "_exit" | "quick_exit" | "abort" | "__builtin_trap", arguments) => {
                self.effects(arguments)?;
                self.end_of_program();
                Expr::Constant(0)
            }
            ("__assert_fail" | "__assert" | "__assert_rtn" | "__assert_perror_fail", _) => {
                self.fail(Failure::Assertion);
                Expr::Constant(0)
            }
            _ => return Ok(self.thread_call(name, arguments)?.map(Some)),
        };
        Ok(Some(Some(value)))
    }

    /// What programs written for verifiers say, whether they define it or not.
    fn convention(
        &mut self,
        id: ExprId,
        function: FunctionId,
        arguments: &[ExprId],
    ) -> Lowered<Option<Option<Expr>>> {
        let tree = self.lowering.tree;
        let name = &*tree[function].name;
        match (name, arguments) {
            ("__VERIFIER_atomic_begin" | "__VERIFIER_atomic_end", []) => {
                Ok(self.thread_call(name, arguments)?.map(Some))
            }
            (name, _) if self.lowering.error == Some(name) => {
                self.effects(arguments)?;
                self.fail(Failure::Error);
                Ok(Some(None))
            }
            ("reach_error" | "__VERIFIER_error", _) => {
                match self.lowering.error {
                    None => self.fail(Failure::Error),
                    Some(_) => self.end_of_program(),
                }
                Ok(Some(None))
            }
            ("__WHEREFORE_point", _) => {
                // A step that does nothing, so that there is a place to look at values.
                self.emit(Command::Assume(Expr::Constant(1)));
                Ok(Some(None))
            }
            ("__WHEREFORE_constraint", [condition]) => {
                // A bit that nobody reads: whoever looks for what should hold finds it by its statement.
                let value = self.truth(*condition)?;
                let place = model::Place { scalar: Scalar::unsigned(1), ..self.temporary() };
                self.emit(Command::Set(place, value));
                Ok(Some(None))
            }
            ("__WHEREFORE_assert", [condition]) => {
                let value = self.truth(*condition)?;
                self.emit(Command::Assert(value));
                Ok(Some(None))
            }
            (_, [condition]) if is_assumption(tree, function) => {
                let value = self.truth(*condition)?;
                self.emit(Command::Assume(value));
                Ok(Some(None))
            }
            _ => {
                if tree[function].is_nondet() {
                    return self.input(id).map(|value| Some(Some(value)));
                }
                Ok(None)
            }
        }
    }

    /// The value of a function of the library that nobody knows, and what it leaves behind its argument.
    fn input_call(&mut self, id: ExprId, name: &str, arguments: &[ExprId]) -> Lowered<Expr> {
        let values = self.values(arguments)?;
        let values: Vec<Expr> = values.into_iter().map(|value| self.keep(value)).collect();
        let value = self.input(id)?;
        self.lowering.sources.insert(name.into());
        if let ("time", [to]) = (name, &values[..]) {
            let node = &self.lowering.tree[id];
            let scalar = self.lowering.kind(node.ty, node.span)?.scalar();
            self.store_unless_null(to.clone(), scalar, value.clone());
        }
        if let ("rand_r", [seed]) = (name, &values[..]) {
            let place = model::Place { scalar: Scalar::unsigned(32), ..self.temporary() };
            self.emit(Command::Nondet { place: place.clone(), range: None });
            self.access(true);
            self.emit(Command::Store {
                address: seed.clone(),
                scalar: place.scalar,
                value: Expr::Load(place),
            });
        }
        Ok(value)
    }

    /// Writes through a pointer that a caller may leave out.
    pub(super) fn store_unless_null(&mut self, address: Expr, scalar: Scalar, value: Expr) {
        if address == Expr::Constant(0) {
            return;
        }
        let (yes, end) = (self.location(), self.location());
        self.split(Expr::binary(Binary::NotEqual, address.clone(), Expr::Constant(0)), yes, end);
        self.at = yes;
        self.access(true);
        self.emit(Command::Store { address, scalar, value });
        self.flush(end, None);
    }

    /// A value from outside.
    pub(super) fn input(&mut self, id: ExprId) -> Lowered<Expr> {
        let tree = self.lowering.tree;
        let node = &tree[id];
        let kind = self.lowering.kind(node.ty, node.span)?;
        let scalar = match kind {
            ScalarKind::Int(scalar) => scalar,
            ScalarKind::Pointer(_) | ScalarKind::Single | ScalarKind::Double => {
                let spelled = tree.types.spell(node.ty);
                return self
                    .lowering
                    .refuse(node.span, format!("an input of type `{spelled}` is not supported"));
            }
        };
        let constants = |(low, high)| (Expr::Constant(low), Expr::Constant(high));
        let range = match self.assumed(id)? {
            Some(assumed) => Some(assumed),
            None => natural_range(tree, id).or(self.all_values(scalar)).map(constants),
        };
        let place = model::Place { scalar, ..self.temporary() };
        self.emit(Command::Nondet { place: place.clone(), range });
        Ok(Expr::Load(place))
    }

    /// The range that the program assumes of an input.
    fn assumed(&mut self, id: ExprId) -> Lowered<Option<(Expr, Expr)>> {
        let Some(Range { least, most }) = self.lowering.ranges.get(&id).cloned() else {
            return Ok(None);
        };
        let bases = least.iter().chain(&most).filter_map(|bound| bound.base);
        if self.lowering.threads && bases.into_iter().any(|base| self.reads_shared(base)) {
            return Ok(None);
        }
        let mut low = None;
        for bound in least {
            let bound = self.bound(bound)?;
            low = Some(low.map_or(bound.clone(), |low| picked(Binary::Less, low, bound)));
        }
        let mut high = None;
        for bound in most {
            let bound = self.bound(bound)?;
            high = Some(high.map_or(bound.clone(), |high| picked(Binary::Greater, high, bound)));
        }
        Ok(low.zip(high))
    }

    fn bound(&mut self, bound: Bound) -> Lowered<Expr> {
        Ok(match bound.base {
            None => Expr::Constant(bound.plus),
            Some(base) => moved(self.value(base)?, bound.plus),
        })
    }

    /// All values of a type, if it is small enough to try them.
    pub(super) fn all_values(&self, scalar: Scalar) -> Option<(i64, i64)> {
        (scalar.bits <= self.lowering.input_bits).then(|| scalar.bounds())
    }

    fn fail(&mut self, failure: Failure) {
        self.visible |= self.lowering.threads;
        self.emit(Command::Fail(failure));
        self.exit();
    }

    /// Nothing comes after this.
    pub(super) fn end_of_program(&mut self) {
        self.visible |= self.lowering.threads;
        if self.lowering.tested.is_some() {
            self.end_of_test(Command::Exit);
            self.at = self.location();
            return;
        }
        self.exit();
    }

    fn exit(&mut self) {
        self.emit(Command::Exit);
        let next = self.location();
        self.flush(next, None);
        self.at = self.location();
    }

    /// The arguments of `memcpy`, whose blocks must not overlap.
    fn apart(&mut self, values: Vec<Expr>) -> Vec<Expr> {
        let values: Vec<Expr> = values.into_iter().map(|value| self.keep(value)).collect();
        let [to, from, size] = &values[..] else { return values };
        let distance = Expr::binary(Binary::Subtract, to.clone(), from.clone());
        let size = Expr::Apply(Primitive::Apart, vec![distance, size.clone()]);
        vec![to.clone(), from.clone(), size]
    }

    fn builtin_call(
        &mut self,
        which: Builtin,
        id: ExprId,
        arguments: &[ExprId],
        wanted: bool,
    ) -> Lowered<Option<Expr>> {
        let tree = self.lowering.tree;
        let mut values = self.values(arguments)?;
        if is_copy_apart(tree, id) {
            values = self.apart(values);
        }
        let result = (wanted && !tree.types.is_void(tree[id].ty)).then(|| self.temporary());
        self.access(true);
        self.touch_by(which, &values);
        self.emit(Command::Builtin { which, arguments: values, result: result.clone() });
        Ok(result.map(Expr::Load))
    }
}

/// Whether it is a call of the function that copies bytes only to where they do not come from.
fn is_copy_apart(tree: &Program, call: ExprId) -> bool {
    matches!(&tree[call].kind, ExprKind::Call { callee: Callee::Direct(function), .. }
        if &*tree[*function].name == "memcpy")
}

fn builtin_of(name: &str) -> Option<Builtin> {
    Some(match name {
        "malloc" => Builtin::Allocate,
        "calloc" => Builtin::AllocateMany,
        "realloc" => Builtin::Reallocate,
        "alloca" => Builtin::AllocateInFrame,
        "free" | "cfree" => Builtin::Free,
        "memcpy" | "memmove" => Builtin::CopyBytes,
        "memset" => Builtin::FillBytes,
        "memcmp" => Builtin::CompareBytes,
        "memchr" => Builtin::FindByte,
        "strlen" => Builtin::TextLength,
        "strcpy" => Builtin::TextCopy,
        "strncpy" => Builtin::TextCopyPadded,
        "strcat" => Builtin::TextAppend,
        "strncat" => Builtin::TextAppendSome,
        "strcmp" | "strcoll" => Builtin::TextCompare,
        "strncmp" => Builtin::TextCompareSome,
        "strchr" | "index" => Builtin::TextFind,
        "strrchr" | "rindex" => Builtin::TextFindLast,
        "strstr" => Builtin::TextSearch,
        _ => return None,
    })
}

fn primitive_of(name: &str) -> Option<Primitive> {
    Some(match name {
        "sqrt" | "sqrtf" | "sqrtl" => Primitive::SquareRoot,
        "fabs" | "fabsf" | "fabsl" => Primitive::FloatMagnitude,
        "floor" | "floorf" | "floorl" => Primitive::Floor,
        "ceil" | "ceilf" | "ceill" => Primitive::Ceiling,
        "round" | "roundf" | "roundl" => Primitive::Round,
        "trunc" | "truncf" | "truncl" => Primitive::Truncate,
        "fmod" | "fmodf" | "fmodl" => Primitive::FloatRemainder,
        "copysign" | "copysignf" => Primitive::CopySign,
        _ => return None,
    })
}

/// `other` if it makes the comparison with `one` true, else `one`.
fn picked(op: Binary, one: Expr, other: Expr) -> Expr {
    if let (Expr::Constant(one), Expr::Constant(other)) = (&one, &other) {
        let takes = if op == Binary::Less { one < other } else { one > other };
        return Expr::Constant(if takes { *other } else { *one });
    }
    let takes = Expr::binary(op, one.clone(), other.clone());
    Expr::Choose(Box::new(takes), Box::new(other), Box::new(one))
}

type CharacterTest = fn(Expr) -> Expr;

fn character_test(name: &str) -> Option<CharacterTest> {
    Some(match name {
        "isdigit" => |value| within(value, b'0', b'9'),
        "isupper" => |value| within(value, b'A', b'Z'),
        "islower" => |value| within(value, b'a', b'z'),
        "isalpha" => letter,
        "isalnum" => |value| either(letter(value.clone()), within(value, b'0', b'9')),
        "isspace" => |value| either(within(value.clone(), b'\t', b'\r'), within(value, b' ', b' ')),
        "isprint" => |value| within(value, b' ', b'~'),
        "isgraph" => |value| within(value, b'!', b'~'),
        "isblank" => |value| either(within(value.clone(), b' ', b' '), within(value, b'\t', b'\t')),
        "iscntrl" => |value| either(within(value.clone(), 0, 31), within(value, 127, 127)),
        "isascii" => |value| within(value, 0, 127),
        "ispunct" => |value| {
            let graphic = within(value.clone(), b'!', b'~');
            let plain = either(letter(value.clone()), within(value, b'0', b'9'));
            Expr::AndAlso(Box::new(graphic), Box::new(Expr::negation(plain)))
        },
        "isxdigit" => |value| {
            let letters = either(within(value.clone(), b'a', b'f'), within(value.clone(), b'A', b'F'));
            either(letters, within(value, b'0', b'9'))
        },
        "toupper" => |value| moved_if(within(value.clone(), b'a', b'z'), value, -32),
        "tolower" => |value| moved_if(within(value.clone(), b'A', b'Z'), value, 32),
        _ => return None,
    })
}

pub(super) fn letter(value: Expr) -> Expr {
    either(within(value.clone(), b'a', b'z'), within(value, b'A', b'Z'))
}

pub(super) fn within(value: Expr, low: u8, high: u8) -> Expr {
    let above = Expr::binary(Binary::GreaterEqual, value.clone(), Expr::Constant(i64::from(low)));
    let below = Expr::binary(Binary::LessEqual, value, Expr::Constant(i64::from(high)));
    Expr::AndAlso(Box::new(above), Box::new(below))
}

pub(super) fn either(one: Expr, other: Expr) -> Expr {
    Expr::OrElse(Box::new(one), Box::new(other))
}

pub(super) fn moved_if(condition: Expr, value: Expr, by: i64) -> Expr {
    let moved = Expr::binary(Binary::Add, value.clone(), Expr::Constant(by));
    let wrapped = Expr::Wrap(Scalar::I32, Box::new(moved));
    Expr::Choose(Box::new(condition), Box::new(wrapped), Box::new(value))
}
