//! Functions, and the objects that variables, parameters and compound literals stand for.

use rucc_sema::{Decl, DeclFlags, DeclId, DeclKind, Definition, StorageDuration};
use source::{Severity, Span};

use super::lower::{Lower, Lowered, Refused};
use crate::tree::{Function, FunctionId, Int, Object, ObjectId, Storage, StringId, StringObject, Type};

/// Functions that come back where they were not called.
const JUMPS: &[&str] = &[
    "setjmp",
    "_setjmp",
    "__setjmp",
    "sigsetjmp",
    "__sigsetjmp",
    "longjmp",
    "_longjmp",
    "siglongjmp",
    "__builtin_setjmp",
    "__builtin_longjmp",
    "getcontext",
    "setcontext",
    "swapcontext",
    "makecontext",
    "vfork",
];

impl Lower<'_> {
    /// The function a declaration declares, which is thereby reached. `span` is where it is named.
    pub(super) fn function(&mut self, id: DeclId, span: rucc_diag::Span) -> Lowered<FunctionId> {
        let id = self.linked(self.definition(id));
        if let Some(function) = self.function_ids.get(&id) {
            return Ok(*function);
        }
        let used = self.span(span);
        let tast = self.tast;
        let decl = &tast[id];
        self.check_function(id, decl, used)?;
        let ty = self.typed(decl.ty, used)?;
        let Type::Function(signature) = self.program.types.get(ty) else {
            return Err(self.unsupported("a function without a function type", used));
        };
        let signature = self.program.types.signature(signature);
        let (result, variadic) = (signature.result, signature.variadic);
        let name = self.function_name(id);
        let function = FunctionId(self.program.functions.len() as u32);
        let span = self.span(tast.definition_span(id));
        self.program.functions.push(Function {
            name,
            ty,
            result,
            parameters: Vec::new(),
            body: None,
            variadic,
            no_return: decl.flags.contains(DeclFlags::NORETURN),
            address_taken: false,
            span,
        });
        self.reached_from.push(self.function);
        self.function_ids.insert(id, function);
        if decl.body.is_some() {
            self.pending_functions.push((id, function));
        }
        Ok(function)
    }

    fn check_function(&mut self, id: DeclId, decl: &Decl, used: Span) -> Lowered<()> {
        let name = decl.name.map(|name| self.name(name)).unwrap_or_default();
        if decl.body.is_none()
            && let Some(jump) = JUMPS.iter().find(|jump| **jump == &*name)
        {
            let construct = if jump.contains("setjmp") {
                "`setjmp`"
            } else if jump.contains("longjmp") {
                "`longjmp`"
            } else {
                "a function that returns twice"
            };
            return Err(self.unsupported(construct, used));
        }
        if decl.flags.contains(DeclFlags::NAKED) {
            return Err(self.unsupported("inline assembly", used));
        }
        if decl.alias.is_some() || self.tast.is_ifunc(id) {
            return Err(self.unsupported("a function that is another name for one", used));
        }
        Ok(())
    }

    /// The definition a declaration with a name for the linker leads to, if it stands in this text.
    fn linked(&self, id: DeclId) -> DeclId {
        let target = self.linker_name(id).and_then(|name| self.defined_function(&name));
        // What is only there to be inlined is not what the linker finds.
        target.filter(|target| self.tast[*target].inline.emits()).unwrap_or(id)
    }

    /// The name a declaration without a body has for the linker, where the text says it.
    fn linker_name(&self, id: DeclId) -> Option<String> {
        let decl = &self.tast[id];
        let label = decl.asm_label.filter(|_| decl.body.is_none())?;
        Some(self.tast[label].elements.iter().filter_map(|element| char::from_u32(*element)).collect())
    }

    /// What a function is called: the name in the text, without the `__builtin_` that leads past
    /// definitions of the program's own; or the name for the linker, if that is that of a function
    /// which the text defines only to be inlined.
    fn function_name(&self, id: DeclId) -> Box<str> {
        let decl = &self.tast[id];
        let name = decl.name.map(|name| self.name(name)).unwrap_or_default();
        if decl.body.is_some() {
            return name;
        }
        let linked = self.linker_name(id).filter(|linked| self.defined_function(linked).is_some());
        match (linked, name.strip_prefix("__builtin_")) {
            (Some(linked), _) => linked.into(),
            (None, Some(plain)) => plain.into(),
            (None, None) => name,
        }
    }

    /// Functions that run before or after the entry, though nothing calls them.
    pub(super) fn startup_functions(&mut self) {
        for id in self.tast.top_level() {
            if self.tast[*id].startup.asked() && self.tast[*id].body.is_some() {
                let span = self.span(self.tast.decl_span(*id));
                self.unsupported("a function that runs before or after `main`", span);
            }
        }
    }

    /// What is outside of all functions and cannot be carried.
    pub(super) fn remark_on_file(&mut self) {
        for asm in self.tast.file_asms() {
            let span = self.span(asm.span);
            self.tell(Severity::Warning, span, "assembly outside of functions is ignored".to_owned());
        }
    }

    pub(super) fn function_body(&mut self, id: DeclId, function: FunctionId) {
        let tast = self.tast;
        let decl = &tast[id];
        self.function = Some(function);
        self.switches.clear();
        let parameters: Vec<DeclId> = tast[decl.params].to_vec();
        for parameter in parameters {
            self.check_parameter(parameter);
            if let Ok(object) = self.object(parameter) {
                self.program.objects[object.index()].storage = Storage::Parameter;
                self.program.functions[function.index()].parameters.push(object);
            }
        }
        if let Some(body) = decl.body {
            let body = self.statement(body);
            self.program.functions[function.index()].body = Some(body);
        }
        self.function = None;
    }

    /// `int a[n++]` as a parameter is a pointer, but its size is evaluated.
    fn check_parameter(&mut self, parameter: DeclId) {
        let Some(mut written) = self.tast.adjusted_from(parameter) else { return };
        while let rucc_types::TypeKind::Array { elem, len } = self.types.kind(self.types.canonical(written)) {
            if let rucc_types::ArrayLen::Variable(size) = len
                && self.expression(self.tast.vla_size(size)).is_ok_and(|size| self.program.has_effects(size))
            {
                let span = self.span(self.tast.decl_span(parameter));
                self.unsupported("a variable-length array", span);
            }
            written = elem;
        }
    }

    /// The object a declaration declares. If it has static storage it is thereby reached, and its
    /// initialiser comes later; that of a local variable belongs to its statement.
    pub(super) fn object(&mut self, id: DeclId) -> Lowered<ObjectId> {
        let id = self.definition(id);
        if let Some(object) = self.object_ids.get(&id) {
            return Ok(*object);
        }
        // It is told once why a variable is refused.
        if self.refused_objects.contains(&id) {
            return Err(Refused);
        }
        self.new_object(id).inspect_err(|_| _ = self.refused_objects.insert(id))
    }

    fn new_object(&mut self, id: DeclId) -> Lowered<ObjectId> {
        let tast = self.tast;
        let decl = &tast[id];
        let span = self.span(tast.decl_span(id));
        if decl.kind != DeclKind::Object {
            return Err(self.unsupported("a name that is not an object", span));
        }
        if decl.register.is_some() {
            return Err(self.unsupported("a variable in a register of the machine", span));
        }
        if decl.cleanup.is_some() {
            return Err(self.unsupported("a variable with a `cleanup` function", span));
        }
        if decl.alias.is_some() {
            return Err(self.unsupported("a variable that is another name for one", span));
        }
        let mut ty = self.typed(decl.ty, span)?;
        // What is never said to be longer has one element.
        if decl.state == Definition::Tentative
            && let Type::Array { element, length: None } = self.program.types.get(ty)
        {
            ty = self.program.types.intern(Type::Array { element, length: Some(1) }, None);
        }
        let size = self.program.types.size(ty).map(|size| size.max(tast.extent(id)));
        let storage = match decl.duration {
            StorageDuration::Automatic => Storage::Local,
            StorageDuration::Thread => Storage::Thread,
            StorageDuration::Static if decl.state == Definition::Declared => Storage::Extern,
            StorageDuration::Static => Storage::Static,
        };
        let object = ObjectId(self.program.objects.len() as u32);
        self.program.objects.push(Object {
            name: decl.name.map(|name| self.name(name)),
            ty,
            size,
            storage,
            function: self.function.filter(|_| decl.linkage == rucc_sema::Linkage::None),
            init: None,
            constant: self.is_const(decl.ty),
            span,
        });
        self.object_ids.insert(id, object);
        if decl.init.is_some() && storage != Storage::Local {
            self.pending_objects.push((id, object));
        }
        Ok(object)
    }

    pub(super) fn string(&mut self, id: rucc_sema::StrId, span: Span) -> StringId {
        if let Some(string) = self.string_ids.get(&id) {
            return *string;
        }
        let literal = &self.tast[id];
        let elements: Box<[u32]> = literal.elements.iter().copied().chain([0]).collect();
        let int = Int {
            bits: literal.encoding.element_width(self.target) as u8,
            signed: literal.encoding.is_signed(self.target),
        };
        let element = self.int_type(int);
        let array = Type::Array { element, length: Some(elements.len() as u64) };
        let ty = self.program.types.intern(array, None);
        let string = StringId(self.program.strings.len() as u32);
        self.program.strings.push(StringObject { ty, elements, span });
        self.string_ids.insert(id, string);
        string
    }
}
