//! Types and variables.

use super::names::Global;
use super::{
    ChannelInit, Field, Initial, Mtype, MtypeId, Owner, Record, RecordId, Resolver, Type, VarId, Variable,
};
use crate::syntax::{self, Declaration, Declarator, Initialiser, MtypeDecl, Spanned, TypeName, Typedef};

/// A variable with more elements than this is a mistake; without a limit, nested typedefs of arrays
/// would describe more memory than there is.
const ELEMENT_LIMIT: u64 = 1 << 20;
/// How deep typedefs may contain typedefs.
const RECORD_DEPTH_LIMIT: u32 = 64;
/// How many messages a channel may hold.
const CAPACITY_LIMIT: i32 = 1 << 15;
/// SPIN's number of mtype constants of one kind: they must fit into a byte.
const MTYPE_LIMIT: usize = 255;
/// What SPIN takes for the length of an array when the variable that should give it is 0.
const DEFAULT_LENGTH: i32 = 8;

/// Where a declaration stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Site {
    Global,
    Parameter(u32),
    /// Before the first statement of a process.
    Start,
    /// Among the statements: the initialiser is carried out as a step.
    Step,
    Field,
}

/// What a declarator declares, before it has an owner.
pub(super) struct Declared {
    pub(super) ty: Type,
    pub(super) length: Option<u32>,
    pub(super) initial: Initial,
}

impl<'m> Resolver<'m> {
    /// `mtype = { ... }`
    pub(super) fn mtype_constants(&mut self, declaration: &'m MtypeDecl) {
        let kind = self.mtype_kind(declaration.kind.as_ref().map(|ident| ident.name.as_str()));
        // The last name has the lowest value.
        for ident in declaration.names.iter().rev() {
            let value = self.program.mtype(kind).constants.len() as i32 + 1;
            if self.declare_global(ident, Global::Constant(kind, value)) {
                self.program.mtypes[kind.0 as usize].constants.push(ident.name.clone());
            }
        }
        if self.program.mtype(kind).constants.len() > MTYPE_LIMIT {
            self.error(declaration.span, format!("there are more than {MTYPE_LIMIT} mtype constants"));
        }
    }

    pub(super) fn mtype_kind(&mut self, name: Option<&'m str>) -> MtypeId {
        let next = MtypeId(self.program.mtypes.len() as u32);
        let id = *self.mtype_kinds.entry(name).or_insert(next);
        if id == next {
            self.program.mtypes.push(Mtype { name: name.map(str::to_owned), constants: Vec::new() });
        }
        id
    }

    /// `typedef name { ... }`
    pub(super) fn typedef(&mut self, typedef: &'m Typedef) {
        let mut fields: Vec<Field> = Vec::new();
        for declaration in &typedef.fields {
            for declarator in &declaration.variables {
                let name = &declarator.name;
                if fields.iter().any(|field| field.name == name.name) {
                    self.error(name.span, format!("the field `{}` is declared twice", name.name));
                }
                if self.find_constant(&name.name).is_some() {
                    self.error(name.span, format!("`{}` is already an mtype constant", name.name));
                }
                let Some(declared) = self.declared(declaration, declarator, Site::Field) else { continue };
                let Declared { ty, length, initial } = declared;
                fields.push(Field { name: name.name.clone(), ty, length, initial, span: name.span });
            }
        }
        let id = RecordId(self.program.records.len() as u32);
        let scalars =
            fields.iter().map(|field| self.program.field_scalars(field)).fold(0, u64::saturating_add);
        let depth = self.program.depth_of(&fields);
        let name = typedef.name.name.clone();
        if depth > RECORD_DEPTH_LIMIT {
            let message = format!("typedefs contain each other more than {RECORD_DEPTH_LIMIT} levels deep");
            self.error(typedef.name.span, message);
            return;
        }
        self.program.records.push(Record { name, fields, scalars, depth, span: typedef.span });
        self.declare_global(&typedef.name, Global::Record(id));
    }

    pub(super) fn global_declaration(&mut self, declaration: &'m Declaration) {
        for declarator in &declaration.variables {
            if let Some(id) = self.variable(declaration, declarator, Site::Global, Owner::Global) {
                self.program.globals.push(id);
            }
        }
    }

    /// Declares one variable.
    pub(super) fn variable(
        &mut self,
        declaration: &'m Declaration,
        declarator: &'m Declarator,
        site: Site,
        owner: Owner,
    ) -> Option<VarId> {
        let declared = self.declared(declaration, declarator, site);
        let id = VarId(self.program.variables.len() as u32);
        let declared_name = self.declare_variable(&declarator.name, id);
        let Declared { ty, length, initial } = declared.unwrap_or(Declared {
            ty: Type::Int,
            length: declarator.length.is_some().then_some(1),
            initial: Initial::Zero,
        });
        self.check_visibility(declaration, declarator, ty, owner);
        self.program.variables.push(Variable {
            name: declarator.name.name.clone(),
            ty,
            length,
            initial,
            owner,
            visibility: declaration.visibility,
            span: declarator.name.span,
        });
        declared_name.then_some(id)
    }

    fn check_visibility(
        &mut self,
        declaration: &Declaration,
        declarator: &Declarator,
        ty: Type,
        owner: Owner,
    ) {
        if declaration.visibility != Some(syntax::Visibility::Hidden) {
            return;
        }
        let what = match (ty, owner) {
            (Type::Bit | Type::Bool, _) => "a bit",
            (Type::Chan, _) => "a channel",
            (_, Owner::Local(_) | Owner::Parameter(..)) => "a local variable",
            _ => return,
        };
        self.error(declarator.name.span, format!("{what} cannot be hidden"));
    }

    /// The type, length and initial value of a declarator; `None` if an error makes it meaningless.
    fn declared(
        &mut self,
        declaration: &'m Declaration,
        declarator: &'m Declarator,
        site: Site,
    ) -> Option<Declared> {
        let ty = self.type_of(&declaration.ty)?;
        let ty = self.with_width(ty, declarator)?;
        let length = match &declarator.length {
            Some(length) => Some(self.array_length(length)?),
            None => None,
        };
        let elements = self.program.scalars(ty).saturating_mul(u64::from(length.unwrap_or(1)));
        if elements > ELEMENT_LIMIT {
            let message = format!("`{}` has more than {ELEMENT_LIMIT} elements", declarator.name.name);
            self.error(declarator.span, message);
            // A variable keeps its length, so that its uses are not wrong too; a field would make each record
            // around it too large again.
            let declared = Declared { ty, length, initial: Initial::Zero };
            return (!matches!(site, Site::Field)).then_some(declared);
        }
        if matches!(site, Site::Parameter(_)) {
            if length.is_some() {
                let help = "pass the elements one by one, or a channel";
                self.error_help(declarator.span, "a parameter cannot be an array", help);
            }
            if declarator.initial.is_some() {
                self.error(declarator.span, "a parameter cannot have an initialiser");
            }
            return Some(Declared { ty, length: None, initial: Initial::Zero });
        }
        let initial = match &declarator.initial {
            None => Initial::Zero,
            Some(initialiser) => self.initial(initialiser, declarator, ty, length, site),
        };
        Some(Declared { ty, length, initial })
    }

    pub(super) fn type_of(&mut self, name: &'m Spanned<TypeName>) -> Option<Type> {
        Some(match &name.value {
            TypeName::Bit => Type::Bit,
            TypeName::Bool => Type::Bool,
            TypeName::Byte => Type::Byte,
            TypeName::Pid => Type::Pid,
            TypeName::Short => Type::Short,
            TypeName::Int => Type::Int,
            TypeName::Unsigned => Type::Unsigned(0),
            TypeName::Chan => Type::Chan,
            TypeName::Mtype(kind) => {
                Type::Mtype(self.mtype_kind(kind.as_ref().map(|ident| ident.name.as_str())))
            }
            TypeName::Record(ident) => match self.find_record(&ident.name) {
                Some(id) => Type::Record(id),
                None => {
                    self.undeclared_type(ident);
                    return None;
                }
            },
        })
    }

    fn with_width(&mut self, ty: Type, declarator: &Declarator) -> Option<Type> {
        match (ty, declarator.width) {
            (Type::Unsigned(_), None) => {
                let message = format!("`{}` has no width and gets 16 bits", declarator.name.name);
                self.warning_help(declarator.name.span, message, "write `unsigned name : bits`");
                Some(Type::Unsigned(16))
            }
            (Type::Unsigned(_), Some(width)) => match u8::try_from(width.value) {
                Ok(bits @ 1..=31) => Some(Type::Unsigned(bits)),
                _ => {
                    self.error(width.span, "the width must be from 1 to 31 bits");
                    None
                }
            },
            (_, Some(width)) => {
                self.warning(width.span, "only an unsigned variable can have a width; it is ignored");
                Some(ty)
            }
            (_, None) => Some(ty),
        }
    }

    fn array_length(&mut self, expr: &'m syntax::Expr) -> Option<u32> {
        let value = match self.initial_value(expr) {
            Some(initial) => {
                let value = initial.filter(|value| *value > 0).unwrap_or(DEFAULT_LENGTH);
                let message = format!("this length is a variable and taken to be {value}");
                self.warning_help(expr.span, message, "use a number or a macro (`#define`)");
                value
            }
            None => self.constant(expr, "the length of an array")?,
        };
        match u32::try_from(value) {
            Ok(length @ 1..) => Some(length),
            _ => {
                self.error(expr.span, format!("the length of an array must be positive, not {value}"));
                None
            }
        }
    }

    fn initial(
        &mut self,
        initialiser: &'m Initialiser,
        declarator: &Declarator,
        ty: Type,
        length: Option<u32>,
        site: Site,
    ) -> Initial {
        match initialiser {
            Initialiser::Value(value) => {
                let value = self.assigned_value(ty, value, 0);
                if matches!(ty, Type::Record(_)) {
                    self.warning(declarator.span, "the initialiser of a record is ignored");
                    return Initial::Zero;
                }
                Initial::Value(value)
            }
            Initialiser::List(values, span) => {
                if length.is_none() {
                    self.error(*span, format!("`{}` is not an array", declarator.name.name));
                }
                if site == Site::Step {
                    let help = "move the declaration before the first statement of the process";
                    self.error_help(*span, "an array cannot be initialised by a list here", help);
                }
                let values: Vec<i32> =
                    values.iter().map_while(|value| self.constant(value, "an initial value")).collect();
                if length.is_some_and(|length| values.len() > length as usize) {
                    self.warning(*span, "there are more values than elements; the rest is ignored");
                }
                Initial::List(values)
            }
            Initialiser::Channel(channel) => {
                if ty != Type::Chan {
                    let message = format!("`{}` is not a channel", declarator.name.name);
                    self.error_help(channel.span, message, "declare it as `chan`");
                    return Initial::Zero;
                }
                if site == Site::Step {
                    let help = "move the declaration before the first statement of the process";
                    self.error_help(channel.span, "a channel cannot be created here", help);
                }
                self.channel(channel).map_or(Initial::Zero, Initial::Channel)
            }
        }
    }

    fn channel(&mut self, channel: &'m syntax::ChannelType) -> Option<ChannelInit> {
        let capacity = self.constant(&channel.capacity, "the capacity of a channel")?;
        if !(0..=CAPACITY_LIMIT).contains(&capacity) {
            let message = format!("the capacity of a channel must be from 0 to {CAPACITY_LIMIT}");
            self.error(channel.capacity.span, message);
            return None;
        }
        let mut declared = Vec::new();
        let mut fields = Vec::new();
        for name in &channel.fields {
            let ty = self.type_of(name)?;
            if matches!(ty, Type::Unsigned(_)) {
                let help = "use byte, short or int";
                self.error_help(name.span, "unsigned cannot be the type of a message", help);
                return None;
            }
            declared.push(ty);
            match self.program.leaf_types(ty) {
                Ok(leaves) => fields.extend(leaves),
                Err(problem) => {
                    self.error(name.span, problem.message());
                    return None;
                }
            }
        }
        Some(ChannelInit { capacity: capacity as u32, fields, declared, span: channel.span })
    }
}
