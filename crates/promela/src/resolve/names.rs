//! What a name means, and from where to where.
//!
//! Scopes are braces. A scope that is closed is never opened again, so the symbols of a process form
//! stacks, one per name, and closing a scope takes its symbols off.

use rustc_hash::FxHashMap;
use source::Span;

use super::{Atomicity, MtypeId, ProcessId, RecordId, Resolver, VarId};
use crate::syntax::{Ident, ProcessKind};

/// A name at the outermost level.
#[derive(Clone, Copy, Debug)]
pub(super) enum Global {
    Variable(VarId),
    Constant(MtypeId, i32),
    Record(RecordId),
    Process,
}

impl Global {
    fn what(self) -> &'static str {
        match self {
            Global::Variable(_) => "a variable",
            Global::Constant(..) => "an mtype constant",
            Global::Record(_) => "a type",
            Global::Process => "a proctype",
        }
    }
}

/// The state of resolving one process.
#[derive(Debug)]
pub(super) struct Local<'m> {
    pub(super) process: ProcessId,
    pub(super) kind: ProcessKind,
    /// The variables of each name that are visible; they are all the same one.
    symbols: FxHashMap<&'m str, VarId>,
    /// For each open scope, what it declared.
    scopes: Vec<Scope<'m>>,
    /// No statement has come yet: initialisers take effect when the process is created.
    pub(super) at_start: bool,
    pub(super) atomicity: Atomicity,
    /// How many loops are open around the current statement.
    pub(super) loops: u32,
    /// How many of them are outside the current `d_step`.
    pub(super) loops_outside_d_step: u32,
    pub(super) next_label: usize,
    pub(super) next_goto: usize,
}

/// An open scope.
#[derive(Debug, Default)]
struct Scope<'m> {
    names: Vec<&'m str>,
    /// The counter of `for (message in channel)` loops in this scope, made when needed.
    counter: Option<VarId>,
}

impl<'m> Local<'m> {
    pub(super) fn new(process: ProcessId, kind: ProcessKind) -> Self {
        Local {
            process,
            kind,
            symbols: FxHashMap::default(),
            scopes: vec![Scope::default()],
            at_start: true,
            atomicity: Atomicity::None,
            loops: 0,
            loops_outside_d_step: 0,
            next_label: 0,
            next_goto: 0,
        }
    }

    pub(super) fn open_scope(&mut self) {
        self.scopes.push(Scope::default());
    }

    pub(super) fn close_scope(&mut self) {
        for name in self.scopes.pop().unwrap_or_default().names {
            self.symbols.remove(name);
        }
    }

    pub(super) fn counter(&self) -> Option<VarId> {
        self.scopes.last().and_then(|scope| scope.counter)
    }

    pub(super) fn set_counter(&mut self, variable: VarId) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.counter = Some(variable);
        }
    }

    fn declare(&mut self, name: &'m str, variable: VarId) {
        self.symbols.insert(name, variable);
        if let Some(scope) = self.scopes.last_mut() {
            scope.names.push(name);
        }
    }
}

impl<'m> Resolver<'m> {
    /// The process at hand.
    pub(super) fn here(&mut self) -> &mut Local<'m> {
        // Statements are only ever resolved inside a process.
        self.local.get_or_insert_with(|| Local::new(ProcessId(0), ProcessKind::Proctype))
    }

    pub(super) fn find_variable(&self, name: &str) -> Option<VarId> {
        let local = self.local.as_ref().and_then(|local| local.symbols.get(name).copied());
        local.or(match self.globals.get(name) {
            Some(Global::Variable(id)) => Some(*id),
            _ => None,
        })
    }

    pub(super) fn find_constant(&self, name: &str) -> Option<(MtypeId, i32)> {
        match self.globals.get(name) {
            Some(Global::Constant(kind, value)) => Some((*kind, *value)),
            _ => None,
        }
    }

    pub(super) fn find_record(&self, name: &str) -> Option<RecordId> {
        match self.globals.get(name) {
            Some(Global::Record(id)) => Some(*id),
            _ => None,
        }
    }

    /// Makes a variable visible from here on; false if the name is taken.
    pub(super) fn declare_variable(&mut self, ident: &'m Ident, variable: VarId) -> bool {
        let name = ident.name.as_str();
        if let Some(local) = &self.local
            && local.symbols.contains_key(name)
        {
            let message = format!("`{name}` is declared twice");
            let help = "a variable cannot have the name of another one that is visible in the same place";
            self.error_help(ident.span, message, help);
            return false;
        }
        if !self.is_free(ident) {
            return false;
        }
        match &mut self.local {
            Some(local) => local.declare(name, variable),
            None => drop(self.globals.insert(name, Global::Variable(variable))),
        }
        true
    }

    pub(super) fn declare_global(&mut self, ident: &'m Ident, meaning: Global) -> bool {
        let free = self.is_free(ident);
        if free {
            self.globals.insert(&ident.name, meaning);
        }
        free
    }

    /// No global thing has this name; reports it otherwise.
    pub(super) fn is_free(&mut self, ident: &Ident) -> bool {
        let name = ident.name.as_str();
        if is_predefined(name) {
            self.error(ident.span, format!("`{name}` is predefined and cannot be declared"));
            return false;
        }
        let Some(meaning) = self.globals.get(name).copied() else { return true };
        let message = format!("`{name}` is already {}", meaning.what());
        self.error_help(ident.span, message, "Promela does not allow one name for two things; rename one");
        false
    }

    pub(super) fn undeclared(&mut self, ident: &Ident) {
        let message = match self.globals.get(ident.name.as_str()) {
            Some(meaning) => format!("`{}` is {}, not a variable", ident.name, meaning.what()),
            None if self.process_ids.contains_key(ident.name.as_str()) => {
                format!("`{}` is a proctype, not a variable", ident.name)
            }
            None => format!("`{}` is not declared", ident.name),
        };
        match self.similar(&ident.name) {
            Some(other) => self.error_help(ident.span, message, format!("is `{other}` meant?")),
            None => self.error_help(ident.span, message, "a variable must be declared before it is used"),
        }
    }

    /// A visible name that differs in case or in one character.
    fn similar(&self, name: &str) -> Option<String> {
        let locals = self.local.iter().flat_map(|local| local.scopes.iter().flat_map(|scope| &scope.names));
        let mut near: Vec<&str> = locals.copied().filter(|other| is_similar(name, other)).collect();
        let globals = self.program.globals.iter().map(|id| self.program.variable(*id).name.as_str());
        let constants = self.program.mtypes.iter().flat_map(|kind| kind.constants.iter().map(String::as_str));
        near.extend(globals.chain(constants).filter(|other| is_similar(name, other)));
        near.first().map(|found| (*found).to_owned())
    }

    pub(super) fn undeclared_type(&mut self, ident: &Ident) {
        let message = format!("there is no type `{}`", ident.name);
        if self.find_variable(&ident.name).is_some() || self.find_constant(&ident.name).is_some() {
            self.error_help(ident.span, message, "is there a `;` missing behind it?");
        } else {
            self.error_help(ident.span, message, "a typedef must come before it is used");
        }
    }

    pub(super) fn zero(span: Span) -> super::Expr {
        super::Expr { kind: super::ExprKind::Number(0), span }
    }
}

/// Names that need no declaration.
pub(super) fn is_predefined(name: &str) -> bool {
    matches!(name, "_" | "_pid" | "_last" | "_nr_pr" | "_priority")
}

/// Equal but for case, or for one character more, less or different.
fn is_similar(left: &str, right: &str) -> bool {
    if left.eq_ignore_ascii_case(right) {
        return true;
    }
    let (long, short) = if left.len() >= right.len() { (left, right) } else { (right, left) };
    let (long, short) = (long.as_bytes(), short.as_bytes());
    if short.len() < 3 || long.len() - short.len() > 1 {
        return false;
    }
    let same = long.iter().zip(short).take_while(|(a, b)| a == b).count();
    let skip = long.len() - short.len();
    long[same + 1..] == short[(same + 1 - skip).min(short.len())..]
}

#[cfg(test)]
mod tests {
    use super::is_similar;

    #[test]
    fn similar_names_differ_in_one_character() {
        assert!(is_similar("count", "conut") == is_similar("conut", "count"));
        assert!(is_similar("count", "Count"));
        assert!(is_similar("count", "counts"));
        assert!(is_similar("counts", "count"));
        assert!(is_similar("cont_of", "count_of"));
        assert!(is_similar("caunt", "count"));
        assert!(!is_similar("a", "b"));
        assert!(!is_similar("count", "amount"));
    }
}
