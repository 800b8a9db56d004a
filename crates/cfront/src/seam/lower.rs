//! The walk from the entry function: what is reached is put on a list and translated in its turn, so that
//! no chain of calls or of initialisers is followed by recursion.
//!
//! Something that is not supported is reported and passed over up to the end of its statement, so that one
//! run shows several; the program is then not to be used.

use preprocess::SourceMap;
use rucc_base::{Interner, Symbol};
use rucc_sema::{DeclId, DeclKind, Tast};
use rucc_target::TargetInfo;
use rucc_types::Types;
use rustc_hash::{FxHashMap, FxHashSet};
use source::{Severity, Span};

use super::spans::span_of;
use super::types::Unsupported;
use crate::Options;
use crate::diagnostic::Diagnostic;
use crate::tree::{
    self, EnumId, FunctionId, LabelId, ObjectId, Program, RecordId, StmtId, StringId, Type, TypeId,
};

/// Something was refused, and the user was told.
#[derive(Debug)]
pub(super) struct Refused;

/// Something translated.
pub(super) type Lowered<T> = Result<T, Refused>;

/// Refusals after which the walk ends.
const REFUSAL_LIMIT: usize = 100;

pub(super) struct Lower<'a> {
    pub(super) tast: &'a Tast,
    pub(super) types: &'a Types,
    pub(super) names: &'a Interner,
    pub(super) target: &'a TargetInfo,
    pub(super) text: &'a str,
    map: &'a SourceMap,
    pub(super) program: Program,
    diagnostics: Vec<Diagnostic>,
    refusals: usize,
    remarked_on_long_double: bool,
    pub(super) type_ids: FxHashMap<rucc_types::TypeId, TypeId>,
    pub(super) record_ids: FxHashMap<rucc_types::RecordId, RecordId>,
    pub(super) enum_ids: FxHashMap<rucc_types::EnumId, EnumId>,
    pub(super) pending_records: Vec<(rucc_types::RecordId, RecordId)>,
    /// The definition of each name that several declarations share.
    definitions: FxHashMap<Symbol, DeclId>,
    pub(super) function_ids: FxHashMap<DeclId, FunctionId>,
    pub(super) object_ids: FxHashMap<DeclId, ObjectId>,
    pub(super) refused_objects: FxHashSet<DeclId>,
    pub(super) string_ids: FxHashMap<rucc_sema::StrId, StringId>,
    pub(super) label_ids: FxHashMap<rucc_sema::LabelId, LabelId>,
    /// The statement each label of the program stands at, as far as known.
    pub(super) label_stmts: Vec<Option<StmtId>>,
    /// Functions whose bodies are still to come, by number.
    pub(super) pending_functions: Vec<(DeclId, FunctionId)>,
    /// Objects whose constant initialisers are still to come.
    pub(super) pending_objects: Vec<(DeclId, ObjectId)>,
    /// Who reached each function first.
    pub(super) reached_from: Vec<Option<FunctionId>>,
    /// The function that is translated.
    pub(super) function: Option<FunctionId>,
    /// Where `case` and `default` of the switches around lead, innermost last.
    pub(super) switches: Vec<super::statements::OpenSwitch>,
}

/// What was read, before the map to the user's files is put back in.
pub(super) struct Outcome {
    pub(super) program: Option<Program>,
    pub(super) diagnostics: Vec<Diagnostic>,
}

pub(super) fn lower(
    tast: &Tast,
    types: &Types,
    names: &Interner,
    target: &TargetInfo,
    text: &str,
    map: &SourceMap,
    options: &Options,
) -> Outcome {
    let mut lower = Lower {
        tast,
        types,
        names,
        target,
        text,
        map,
        program: Program {
            types: tree::Types::new(options.data_model),
            functions: Vec::new(),
            objects: Vec::new(),
            strings: Vec::new(),
            labels: Vec::new(),
            entry: FunctionId(0),
            source: String::new(),
            map: SourceMap::default(),
            exprs: Vec::new(),
            places: Vec::new(),
            stmts: Vec::new(),
        },
        diagnostics: Vec::new(),
        refusals: 0,
        remarked_on_long_double: false,
        type_ids: FxHashMap::default(),
        record_ids: FxHashMap::default(),
        enum_ids: FxHashMap::default(),
        pending_records: Vec::new(),
        definitions: FxHashMap::default(),
        function_ids: FxHashMap::default(),
        object_ids: FxHashMap::default(),
        refused_objects: FxHashSet::default(),
        string_ids: FxHashMap::default(),
        label_ids: FxHashMap::default(),
        label_stmts: Vec::new(),
        pending_functions: Vec::new(),
        pending_objects: Vec::new(),
        reached_from: Vec::new(),
        function: None,
        switches: Vec::new(),
    };
    lower.find_definitions();
    lower.remark_on_file();
    let finished = lower.walk(&options.entry);
    let Lower { program, diagnostics, refusals, .. } = lower;
    let sound = finished && refusals == 0;
    Outcome { program: sound.then_some(program), diagnostics }
}

impl Lower<'_> {
    /// Translates all that the entry reaches; false if something essential is missing.
    fn walk(&mut self, entry: &str) -> bool {
        let start = self.names.find(entry).and_then(|name| self.definitions.get(&name).copied());
        let start = start.filter(|start| self.tast[*start].kind == DeclKind::Function);
        let Some(start) = start.filter(|start| self.tast[*start].body.is_some()) else {
            let message = format!("there is no function `{entry}` to start with");
            // The text begins with what is included; the last function is the user's own.
            let spans = self.definitions.values().map(|one| self.tast.decl_span(*one));
            let last = spans.map(|span| span.lo).max().map_or(0, |at| at as usize);
            self.tell(Severity::Error, Span::at(last), message);
            return false;
        };
        let Ok(entry) = self.function(start, self.tast.decl_span(start)) else { return false };
        self.program.entry = entry;
        self.startup_functions();
        loop {
            if self.refusals >= REFUSAL_LIMIT {
                return false;
            }
            if let Some((theirs, ours)) = self.pending_functions.pop() {
                self.function_body(theirs, ours);
            } else if let Some((theirs, ours)) = self.pending_objects.pop() {
                self.function = None;
                self.static_initializer(theirs, ours);
            } else {
                break;
            }
        }
        self.finish_labels()
    }

    /// Every label that is jumped to stands somewhere.
    fn finish_labels(&mut self) -> bool {
        let mut complete = true;
        for (label, stmt) in self.program.labels.iter_mut().zip(&self.label_stmts) {
            match stmt {
                Some(stmt) => label.stmt = *stmt,
                None => complete = false,
            }
        }
        if !complete && self.refusals == 0 {
            self.tell(Severity::Error, Span::at(0), "a label is nowhere in its function".to_owned());
        }
        complete
    }

    /// A name with linkage means one thing, whichever declaration it was found by.
    fn find_definitions(&mut self) {
        for id in self.tast.top_level() {
            let decl = &self.tast[*id];
            let Some(name) = decl.name else { continue };
            let defines = decl.body.is_some() || decl.state != rucc_sema::Definition::Declared;
            if defines || !self.definitions.contains_key(&name) {
                self.definitions.insert(name, *id);
            }
        }
    }

    /// The declaration that defines what `decl` declares, or itself.
    pub(super) fn definition(&self, id: DeclId) -> DeclId {
        let decl = &self.tast[id];
        match decl.name {
            Some(name) if decl.linkage != rucc_sema::Linkage::None => {
                let found = self.definitions.get(&name).copied();
                found.filter(|found| self.tast[*found].kind == decl.kind).unwrap_or(id)
            }
            _ => id,
        }
    }

    pub(super) fn defined_function(&self, name: &str) -> Option<DeclId> {
        let found = *self.definitions.get(&self.names.find(name)?)?;
        (self.tast[found].body.is_some()).then_some(found)
    }

    pub(super) fn name(&self, symbol: Symbol) -> Box<str> {
        self.names.resolve(symbol).into()
    }

    pub(super) fn span(&self, span: rucc_diag::Span) -> Span {
        span_of(span, self.text)
    }

    /// The type of something used at `span`.
    pub(super) fn typed(&mut self, theirs: rucc_types::TypeId, span: Span) -> Lowered<TypeId> {
        let ty = self.ty(theirs).map_err(|what| self.unsupported(what, span))?;
        match self.program.types.get(ty) {
            Type::Opaque(what) => Err(self.unsupported(what, span)),
            Type::Float(tree::Float::Extended) if !self.remarked_on_long_double => {
                self.remarked_on_long_double = true;
                self.tell(Severity::Warning, span, "`long double` is computed as `double`".to_owned());
                Ok(ty)
            }
            _ => Ok(ty),
        }
    }

    pub(super) fn tell(&mut self, severity: Severity, span: Span, message: String) {
        self.diagnostics.push(Diagnostic::about(self.map, severity, span, message));
    }

    /// Refuses a construct, by name and place.
    pub(super) fn unsupported(&mut self, construct: Unsupported, span: Span) -> Refused {
        self.refusals += 1;
        let message = format!("{construct} is not supported");
        let mut told = Diagnostic::about(self.map, Severity::Error, span, message);
        told.construct = Some(construct);
        if let Some(function) = self.function {
            told.help = Some(self.how_reached(function));
        }
        self.diagnostics.push(told);
        Refused
    }

    /// The way from the entry to a function, by who names whom.
    fn how_reached(&self, function: FunctionId) -> String {
        let mut chain = vec![&*self.program[function].name];
        let mut at = function;
        while let Some(from) = self.reached_from[at.index()] {
            chain.push(&*self.program[from].name);
            at = from;
        }
        chain.reverse();
        match chain.as_slice() {
            [entry] => format!("it stands in `{entry}`, where the program starts"),
            [entry, .., last] if chain.len() > 6 => {
                format!("it stands in `{last}`, {} calls away from `{entry}`", chain.len() - 1)
            }
            _ => format!("it is reached through `{}`", chain.join("` → `")),
        }
    }
}
