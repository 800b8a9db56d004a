//! The program: tables of everything in it, and the way back to the user's text.

use std::ops::Index;

use preprocess::{Location, Place as TextPlace, SourceMap};
use source::Span;

use super::{
    BitRange, Expr, ExprId, ExprKind, FunctionId, Label, LabelId, ObjectId, Place, PlaceId, PlaceKind, Stmt,
    StmtId, StringId, TypeId, Types,
};

/// What the entry function can reach, ready to be lowered.
#[derive(Debug)]
pub struct Program {
    pub types: Types,
    /// Functions with and without a body, each called or its address taken, the entry first.
    pub functions: Vec<Function>,
    pub objects: Vec<Object>,
    pub strings: Vec<StringObject>,
    pub labels: Vec<Label>,
    /// Where the program starts.
    pub entry: FunctionId,
    /// The preprocessed text that spans point into.
    pub source: String,
    pub map: SourceMap,
    pub(crate) exprs: Vec<Expr>,
    pub(crate) places: Vec<Place>,
    pub(crate) stmts: Vec<Stmt>,
}

#[derive(Clone, Debug)]
pub struct Function {
    pub name: Box<str>,
    /// A function type.
    pub ty: TypeId,
    pub result: TypeId,
    /// Of a function with a body. In an old-style definition a parameter may be narrower than the promoted
    /// argument, which is then converted on entry.
    pub parameters: Vec<ObjectId>,
    pub body: Option<StmtId>,
    pub variadic: bool,
    /// Control does not come back from a call, its declaration says.
    pub no_return: bool,
    /// It is used other than by calling it, so it may be called through a pointer.
    pub address_taken: bool,
    /// Where its name is defined, or declared.
    pub span: Span,
}

impl Function {
    /// Whether its name says that what it returns is an input: as in the benchmarks of SV-COMP, whatever stands in its
    /// body, or as users of CBMC write it, where it has none.
    pub fn is_nondet(&self) -> bool {
        let as_for_cbmc = || &*self.name == "nondet" || self.name.starts_with("nondet_");
        self.name.starts_with("__VERIFIER_nondet_") || self.body.is_none() && as_for_cbmc()
    }
}

#[derive(Clone, Debug)]
pub struct Object {
    /// None for compound literals and parameters without one.
    pub name: Option<Box<str>>,
    pub ty: TypeId,
    /// Bytes it takes: more than its type says if the open array at the end of a record is initialised.
    /// None if the type is incomplete.
    pub size: Option<u64>,
    pub storage: Storage,
    /// The function it belongs to, if it is not a global.
    pub function: Option<FunctionId>,
    /// Of an object with static storage, constants. Without one, static storage is zero and a local
    /// variable undefined.
    pub init: Option<Initializer>,
    pub constant: bool,
    /// Where its name is declared.
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// Exists once, from the start.
    Static,
    /// Exists once for each thread.
    Thread,
    /// Declared here and defined elsewhere.
    Extern,
    Local,
    Parameter,
}

/// The object is zero first; then the entries are stored in their order.
#[derive(Clone, Debug)]
pub struct Initializer {
    pub entries: Box<[InitEntry]>,
}

#[derive(Clone, Debug)]
pub struct InitEntry {
    /// Bytes from the start of the object.
    pub offset: u64,
    pub ty: TypeId,
    pub bits: Option<BitRange>,
    pub value: InitValue,
}

#[derive(Clone, Copy, Debug)]
pub enum InitValue {
    Expr(ExprId),
    /// The characters of a literal, as many as the array at the offset has room for.
    String(StringId),
}

/// The array a string literal stands for.
#[derive(Clone, Debug)]
pub struct StringObject {
    /// An array type, with room for the zero at the end.
    pub ty: TypeId,
    /// The array's elements, the zero included.
    pub elements: Box<[u32]>,
    pub span: Span,
}

impl Program {
    /// Whether evaluating the expression can do more than yield a value: store, call, or not come back.
    pub fn has_effects(&self, expr: ExprId) -> bool {
        self[expr].effects
    }

    /// The same of finding out which object a place is.
    pub fn place_has_effects(&self, place: PlaceId) -> bool {
        self[place].effects
    }

    pub fn function(&self, name: &str) -> Option<FunctionId> {
        let index = self.functions.iter().position(|function| &*function.name == name)?;
        Some(FunctionId(index as u32))
    }

    pub fn function_ids(&self) -> impl Iterator<Item = FunctionId> + use<> {
        (0..self.functions.len() as u32).map(FunctionId)
    }

    pub fn object_ids(&self) -> impl Iterator<Item = ObjectId> + use<> {
        (0..self.objects.len() as u32).map(ObjectId)
    }

    /// The place in the user's own files that a span of the preprocessed text comes from.
    pub fn place(&self, span: Span) -> TextPlace {
        self.map.place(span)
    }

    /// File, line and column to tell a person.
    pub fn location(&self, span: Span) -> Location {
        let place = self.map.place(span);
        self.map.location(place.file, place.span.start)
    }

    /// What the user wrote there, in one line: blanks and comments between words become one blank.
    pub fn text(&self, span: Span) -> String {
        let place = self.map.place(span);
        let written = place.span.text(self.map.text(place.file));
        if let Some((_, said)) = written.strip_prefix("//@").and_then(|note| note.split_once(':')) {
            return one_line(said);
        }
        let line = one_line(written);
        asserted(&line).unwrap_or(line)
    }

    pub(crate) fn add_expr(&mut self, kind: ExprKind, ty: TypeId, span: Span) -> ExprId {
        let effects = self.effects_of(&kind);
        self.exprs.push(Expr { kind, ty, span, effects });
        ExprId(self.exprs.len() as u32 - 1)
    }

    pub(crate) fn add_place(&mut self, kind: PlaceKind, ty: TypeId, span: Span) -> PlaceId {
        let effects = match kind {
            PlaceKind::Variable(_) | PlaceKind::String(_) => false,
            PlaceKind::Deref(expr) | PlaceKind::Temporary(expr) => self[expr].effects,
            PlaceKind::Index { array, index } => self[array].effects || self[index].effects,
            PlaceKind::Element { pointer, index } => self[pointer].effects || self[index].effects,
            PlaceKind::Member { record, .. } => self[record].effects,
            PlaceKind::CompoundLiteral(_) => true,
        };
        self.places.push(Place { kind, ty, span, effects });
        PlaceId(self.places.len() as u32 - 1)
    }

    pub(crate) fn add_stmt(&mut self, stmt: Stmt) -> StmtId {
        self.stmts.push(stmt);
        StmtId(self.stmts.len() as u32 - 1)
    }

    fn effects_of(&self, kind: &ExprKind) -> bool {
        let any = |exprs: &[ExprId]| exprs.iter().any(|expr| self[*expr].effects);
        match kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Function(_) | ExprKind::Address { .. } => false,
            ExprKind::AddressOf(place) | ExprKind::Decay(place) => self[*place].effects,
            ExprKind::Load { place, .. } => self[*place].effects,
            ExprKind::Unary { operand, .. } | ExprKind::Convert { operand, .. } => self[*operand].effects,
            ExprKind::Binary { left, right, .. }
            | ExprKind::Compare { left, right, .. }
            | ExprKind::Logical { left, right, .. }
            | ExprKind::PointerDifference { left, right } => any(&[*left, *right]),
            ExprKind::PointerAdd { pointer, index, .. } => any(&[*pointer, *index]),
            ExprKind::Conditional { condition, then, otherwise } => any(&[*condition, *then, *otherwise]),
            ExprKind::Comma { first, second } => any(&[*first, *second]),
            ExprKind::OrElse { value, otherwise } => any(&[*value, *otherwise]),
            ExprKind::Assign { .. }
            | ExprKind::Compound { .. }
            | ExprKind::Increment { .. }
            | ExprKind::Call { .. }
            | ExprKind::Statement { .. } => true,
            ExprKind::Builtin { which, arguments } => which.has_effects() || any(arguments),
        }
    }
}

/// What was written as an assertion, if this is what the macro of a C library made of one.
fn asserted(line: &str) -> Option<String> {
    let literal = line.strip_prefix("__assert_fail")?.trim_start().strip_prefix('(')?.trim_start();
    let text = literal.get(1..quoted(literal, '"').checked_sub(1)?).filter(|_| literal.starts_with('"'))?;
    Some(format!("assert({})", text.replace("\\\"", "\"")))
}

/// Text in one line, blanks and comments between words made one blank each.
fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    let mut rest = text;
    let mut gap = false;
    let mut begins_line = false;
    while let Some(first) = rest.chars().next() {
        // A line that the preprocessor left behind to say where the next ones come from.
        if first == '#' && begins_line {
            rest = rest.find('\n').map_or("", |end| &rest[end..]);
            continue;
        }
        begins_line = first == '\n' || begins_line && first.is_whitespace();
        let word = if let Some(comment) = rest.strip_prefix("/*") {
            rest = comment.split_once("*/").map_or("", |(_, after)| after);
            gap = true;
            continue;
        } else if rest.starts_with("//") {
            rest = rest.find('\n').map_or("", |end| &rest[end..]);
            gap = true;
            continue;
        } else if first.is_whitespace()
            || first == '\\' && rest[1..].trim_start_matches('\r').starts_with('\n')
        {
            rest = &rest[first.len_utf8()..];
            gap = true;
            continue;
        } else if matches!(first, '"' | '\'') {
            &rest[..quoted(rest, first)]
        } else {
            &rest[..first.len_utf8()]
        };
        if gap && !line.is_empty() {
            line.push(' ');
        }
        gap = false;
        line.push_str(word);
        rest = &rest[word.len()..];
    }
    line
}

/// How long the literal is that the text starts with.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, character) in text.char_indices().skip(1) {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if character == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

macro_rules! tables {
    ($($id:ident => $item:ident in $table:ident,)*) => {$(
        impl Index<$id> for Program {
            type Output = $item;

            fn index(&self, id: $id) -> &$item {
                &self.$table[id.index()]
            }
        }
    )*};
}

tables! {
    ExprId => Expr in exprs,
    PlaceId => Place in places,
    StmtId => Stmt in stmts,
    ObjectId => Object in objects,
    FunctionId => Function in functions,
    StringId => StringObject in strings,
    LabelId => Label in labels,
}

#[cfg(test)]
mod tests {
    use super::{asserted, one_line};

    #[test]
    fn blanks_and_comments_become_one_blank() {
        assert_eq!(one_line("if (x /* why\n not */ > 0) // so\n"), "if (x > 0)");
        assert_eq!(one_line("f(\"a  /* b */\",\n   '\"', y)"), "f(\"a  /* b */\", '\"', y)");
        assert_eq!(one_line("a \\\n + b"), "a + b");
        assert_eq!(one_line("\"open\\\""), "\"open\\\"");
        assert_eq!(one_line("f (\n# 5 \"a.c\"\n x\n# 5 \"a.c\" 3 4\n , #y)"), "f ( x , #y)");
    }

    #[test]
    fn assertions_are_told_as_they_were_written() {
        let told = asserted("__assert_fail ( \"*p == \\\"a, b\\\"[0]\" , \"a.c\", 5, __func__)");
        assert_eq!(told.as_deref(), Some("assert(*p == \"a, b\"[0])"));
        assert_eq!(asserted("__assert_fail(text, file, 1, f)"), None);
        assert_eq!(asserted("__assert_fail"), None);
        assert_eq!(asserted("__assert_fail(\""), None);
    }
}
