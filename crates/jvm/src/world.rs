//! All that is the same in every state: classes, methods, constants, and the base image.
//!
//! Classes are loaded when they are first needed. What the initialisers of JDK classes make does not depend on the
//! program, so it is made once, outside of all states, and kept in the base image: a state says only how it differs
//! from that. Classes of the user are initialised by the program's own threads, in its states.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::code::{Code, Kind, Mention};
use crate::library::Library;
use crate::seam::Bootstrap;
use crate::value::{ClassId, MethodId, Object, Ref, Value};

pub(crate) const STATIC: u16 = 0x0008;
pub(crate) const FINAL: u16 = 0x0010;
pub(crate) const SYNCHRONIZED: u16 = 0x0020;
pub(crate) const VOLATILE: u16 = 0x0040;
pub(crate) const NATIVE: u16 = 0x0100;
pub(crate) const INTERFACE: u16 = 0x0200;
pub(crate) const ABSTRACT: u16 = 0x0400;
pub(crate) const PRIVATE: u16 = 0x0002;

/// Something that is needed and not there, by its number in [`World::needs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Need(pub(crate) u32);

/// A function that is asked before the code of a method, by its number in the table of natives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NativeId(pub(crate) u16);

#[derive(Debug)]
pub(crate) struct Class {
    pub(crate) name: Arc<str>,
    pub(crate) parent: Option<ClassId>,
    pub(crate) interfaces: Vec<ClassId>,
    /// Itself and all it extends and implements, sorted.
    pub(crate) ancestors: Vec<ClassId>,
    pub(crate) flags: u16,
    pub(crate) origin: Origin,
    pub(crate) source: Option<Arc<str>>,
    pub(crate) simple_name: Option<Arc<str>>,
    /// Declared here.
    pub(crate) fields: Vec<Field>,
    /// The kinds of all fields of an instance, those of its parents first.
    pub(crate) layout: Vec<Kind>,
    pub(crate) methods: Vec<MethodId>,
    /// What a call of a selector leads to.
    pub(crate) table: FxHashMap<u32, MethodId>,
    /// What an array's elements are.
    pub(crate) element: Option<(Kind, Option<ClassId>)>,
    pub(crate) initialiser: Option<MethodId>,
    /// Of a JDK class: how far its initialisation is.
    pub(crate) status: Status,
    /// Of a user's class: its number among them.
    pub(crate) number: Option<u32>,
    pub(crate) bootstraps: Arc<[Bootstrap]>,
    pub(crate) mirror: Ref,
}

/// Who wrote a class, and how its code is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    User,
    /// Of the JDK, and interleaved with other threads like code of the user.
    Jdk,
    /// Of the JDK, and run without interruption until it blocks.
    Uninterrupted,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    New,
    Running,
    Done,
    Failed(Need),
}

#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) name: Arc<str>,
    pub(crate) descriptor: Arc<str>,
    pub(crate) kind: Kind,
    pub(crate) flags: u16,
    /// Among the fields of an instance, the statics of the user or those of the JDK.
    pub(crate) slot: u32,
}

impl Field {
    pub(crate) fn is_static(&self) -> bool {
        self.flags & STATIC != 0
    }
}

pub(crate) struct Method {
    pub(crate) class: ClassId,
    pub(crate) name: Arc<str>,
    pub(crate) descriptor: Arc<str>,
    pub(crate) selector: u32,
    pub(crate) flags: u16,
    /// The kinds of its parameters, without `this`.
    pub(crate) parameters: Arc<[Kind]>,
    pub(crate) result: Option<Kind>,
    pub(crate) code: Option<Arc<Linked>>,
    pub(crate) native: Option<NativeId>,
    /// Which variables are read later, for each operation; found when first asked for.
    pub(crate) live: Option<Arc<[u64]>>,
}

impl std::fmt::Debug for Method {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", self.name, self.descriptor)
    }
}

impl Method {
    pub(crate) fn is_static(&self) -> bool {
        self.flags & STATIC != 0
    }

    /// How many values a call takes off the stack.
    pub(crate) fn arguments(&self) -> usize {
        self.parameters.len() + usize::from(!self.is_static())
    }
}

/// Code whose sites are those of the world.
#[derive(Debug)]
pub(crate) struct Linked {
    pub(crate) code: Code,
    /// The line of each operation.
    pub(crate) lines: Vec<u16>,
    /// Whether each operation is the first of a line.
    pub(crate) starts: Vec<bool>,
    pub(crate) origin: Origin,
}

/// What an operation refers to, once it was found.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Site {
    /// Not looked for yet: the class that mentions it, and a number in [`World::mentions`].
    Open(ClassId, u32),
    Class(ClassId),
    Value(Value),
    Field {
        slot: u32,
        kind: Kind,
        quiet: bool,
        volatile: bool,
    },
    Static {
        class: ClassId,
        slot: u32,
        kind: Kind,
        quiet: bool,
        volatile: bool,
    },
    Method {
        method: MethodId,
        selector: u32,
        arguments: u32,
        direct: bool,
    },
}

/// A string that is put together: pieces of text, and where values go between them.
#[derive(Debug)]
pub(crate) struct Recipe {
    /// What stands before each value, and behind the last.
    pub(crate) pieces: Vec<Vec<u16>>,
    pub(crate) kinds: Vec<Kind>,
}

/// What a value of a `switch` can be.
#[derive(Clone, Debug)]
pub(crate) enum SwitchLabel {
    Class(ClassId),
    Text(Vec<u16>),
    Int(i32),
    /// A constant of an enum, by its name.
    Constant(Arc<str>),
}

/// What a handle to a variable stands for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Handled {
    Field { slot: u32, kind: Kind },
    Static { class: ClassId, slot: u32, kind: Kind },
    Element,
}

pub(crate) struct World {
    pub(crate) library: Library,
    pub(crate) classes: Vec<Class>,
    pub(crate) by_name: FxHashMap<Arc<str>, Result<ClassId, Need>>,
    pub(crate) methods: Vec<Method>,
    pub(crate) selectors: FxHashMap<Arc<str>, u32>,
    pub(crate) sites: Vec<Site>,
    pub(crate) mentions: Vec<Mention>,
    pub(crate) recipes: Vec<Arc<Recipe>>,
    pub(crate) labels: Vec<Arc<[SwitchLabel]>>,
    pub(crate) handles: Vec<Handled>,
    pub(crate) base: Vec<Object>,
    pub(crate) texts: FxHashMap<Vec<u16>, Ref>,
    /// Of JDK classes.
    pub(crate) statics: Vec<Value>,
    /// Those of the user's classes before they are given values, and the class of each.
    pub(crate) defaults: Vec<(Value, ClassId)>,
    pub(crate) users: Vec<ClassId>,
    pub(crate) needs: Vec<&'static str>,
    /// The places events start from: a method and an operation.
    pub(crate) places: Vec<(MethodId, u32)>,
    pub(crate) place_numbers: FxHashMap<(MethodId, u32), u32>,
    /// The classes of violations.
    pub(crate) wrongs: Vec<Wrongness>,
    /// The names that threads had which were started with each number.
    pub(crate) thread_names: Vec<Vec<String>>,
    /// A method that must not be called.
    pub(crate) forbidden: Option<String>,
    pub(crate) common: Common,
    /// The standard output and the standard error.
    pub(crate) streams: Option<(Ref, Ref)>,
}

/// What is wrong: an exception that nobody catches, or a race.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Wrongness {
    Uncaught { class: ClassId, place: Option<(MethodId, u32)> },
    Race { place: (MethodId, u32) },
    Forbidden { place: (MethodId, u32) },
}

/// Classes and objects that the machine itself needs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Common {
    pub(crate) object: ClassId,
    pub(crate) string: ClassId,
    pub(crate) class: ClassId,
    pub(crate) thread: ClassId,
    pub(crate) throwable: ClassId,
    pub(crate) bytes: ClassId,
    /// The thread on which JDK classes are initialised.
    pub(crate) boot_thread: Ref,
    pub(crate) group: Ref,
}

impl World {
    pub(crate) fn class(&self, class: ClassId) -> &Class {
        &self.classes[class.0 as usize]
    }

    pub(crate) fn method(&self, method: MethodId) -> &Method {
        &self.methods[method.0 as usize]
    }

    /// The number of something that is needed. Few different things ever are.
    pub(crate) fn need(&mut self, what: &str) -> Need {
        let known = self.needs.iter().position(|known| *known == what);
        let at = known.unwrap_or_else(|| {
            self.needs.push(Box::leak(what.to_owned().into_boxed_str()));
            self.needs.len() - 1
        });
        Need(at as u32)
    }

    pub(crate) fn is_a(&self, class: ClassId, of: ClassId) -> bool {
        class == of || self.class(class).ancestors.binary_search(&of).is_ok()
    }

    /// The number of a selector: a name with its descriptor.
    pub(crate) fn selector(&mut self, name: &str, descriptor: &str) -> u32 {
        let text = format!("{name}{descriptor}");
        let fresh = self.selectors.len() as u32;
        *self.selectors.entry(text.into()).or_insert(fresh)
    }

    /// The number of a place that an event starts from.
    pub(crate) fn place(&mut self, method: MethodId, op: u32) -> u32 {
        let fresh = self.places.len() as u32;
        let number = *self.place_numbers.entry((method, op)).or_insert(fresh);
        if number == fresh {
            self.places.push((method, op));
        }
        number
    }

    pub(crate) fn wrong(&mut self, what: Wrongness) -> u32 {
        let known = self.wrongs.iter().position(|known| *known == what);
        known.unwrap_or_else(|| {
            self.wrongs.push(what);
            self.wrongs.len() - 1
        }) as u32
    }

    /// A thread was started with a number.
    pub(crate) fn name_thread(&mut self, number: usize, name: String) {
        if self.thread_names.len() <= number {
            self.thread_names.resize(number + 1, Vec::new());
        }
        if !self.thread_names[number].contains(&name) {
            self.thread_names[number].push(name);
        }
    }

    /// What threads with a number are called, if all of them are called the same.
    pub(crate) fn thread_name(&self, number: u8) -> Option<&str> {
        match self.thread_names.get(usize::from(number)).map(Vec::as_slice) {
            Some([name]) => Some(name),
            _ => None,
        }
    }

    /// A field by its name, here or in a parent.
    pub(crate) fn field(&self, class: ClassId, name: &str) -> Option<&Field> {
        let mut at = Some(class);
        while let Some(class) = at {
            let class = self.class(class);
            if let Some(field) = class.fields.iter().find(|field| &*field.name == name) {
                return Some(field);
            }
            at = class.parent;
        }
        None
    }

    /// Where a field of an instance lies.
    pub(crate) fn slot(&self, class: ClassId, name: &str) -> Option<usize> {
        self.field(class, name).filter(|field| !field.is_static()).map(|field| field.slot as usize)
    }

    /// A method that a class declares.
    pub(crate) fn declared(&self, class: ClassId, name: &str, descriptor: &str) -> Option<MethodId> {
        self.class(class).methods.iter().copied().find(|method| {
            let method = self.method(*method);
            &*method.name == name && &*method.descriptor == descriptor
        })
    }
}

impl std::fmt::Debug for World {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "World of {} classes", self.classes.len())
    }
}
