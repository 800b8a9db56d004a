//! Loading and linking: from class files to classes with layouts, tables of methods and open sites.

mod sites;

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::code::{Code, Constant, Kind, Op};
use crate::descriptor;
use crate::natives;
use crate::seam::{self, ClassFile};
use crate::value::{Body, ClassId, MethodId, Object, Ref, Value};
use crate::world::{
    ABSTRACT, Class, FINAL, Field, INTERFACE, Linked, Method, Need, Origin, PRIVATE, STATIC, Site, Status,
    World,
};

/// JDK packages whose code runs without interruption until it blocks. Other JDK code can be interrupted wherever it
/// touches what threads share, like code of the user.
const UNINTERRUPTED: [&str; 8] = [
    "java/util/concurrent/",
    "java/lang/",
    "jdk/",
    "sun/",
    "java/io/",
    "java/nio/",
    "java/security/",
    "java/text/",
];

/// How deep classes extend each other at most.
const MOST_PARENTS: usize = 256;

impl World {
    /// The class with this binary name; arrays have their descriptor as a name.
    pub(crate) fn load(&mut self, name: &str) -> Result<ClassId, Need> {
        self.load_within(name, 0)
    }

    fn load_within(&mut self, name: &str, depth: usize) -> Result<ClassId, Need> {
        if let Some(known) = self.by_name.get(name) {
            return *known;
        }
        if depth > MOST_PARENTS {
            return Err(self.need(&format!("class {name}, which extends itself")));
        }
        let loaded = if name.starts_with('[') { self.array(name) } else { self.load_file(name, depth) };
        self.by_name.insert(name.into(), loaded);
        loaded
    }

    fn load_file(&mut self, name: &str, depth: usize) -> Result<ClassId, Need> {
        let Some(found) = self.library.find(name) else {
            return Err(self.need(&format!("class {}", name.replace('/', "."))));
        };
        let file = match seam::parse(name, &found.bytes) {
            Ok(file) if file.name == name => file,
            Ok(file) => return Err(self.need(&format!("class {name}, whose file says {}", file.name))),
            Err(error) => return Err(self.need(&error.to_string())),
        };
        let origin = if found.is_users {
            Origin::User
        } else if UNINTERRUPTED.iter().any(|package| name.starts_with(package)) {
            Origin::Uninterrupted
        } else {
            Origin::Jdk
        };
        // A class that extends itself finds this instead.
        let circular = self.need(&format!("class {name}, which extends itself"));
        self.by_name.insert(name.into(), Err(circular));
        self.define(file, origin, depth)
    }

    /// Links a class.
    pub(crate) fn define(&mut self, file: ClassFile, origin: Origin, depth: usize) -> Result<ClassId, Need> {
        let parent = file.super_name.as_ref().map(|name| self.load_within(name, depth + 1)).transpose()?;
        let mut interfaces = Vec::with_capacity(file.interfaces.len());
        for name in &file.interfaces {
            interfaces.push(self.load_within(name, depth + 1)?);
        }
        let id = ClassId(self.classes.len() as u32);
        let mut ancestors = vec![id];
        for above in parent.iter().chain(&interfaces) {
            ancestors.extend_from_slice(&self.class(*above).ancestors);
        }
        ancestors.sort_unstable();
        ancestors.dedup();
        let number = (origin == Origin::User).then_some(self.users.len() as u32);
        if number.is_some() {
            self.users.push(id);
        }
        let layout = parent.map(|parent| self.class(parent).layout.clone()).unwrap_or_default();
        let mirror = self.new_mirror();
        let class = Class {
            name: file.name.as_str().into(),
            parent,
            interfaces,
            ancestors,
            flags: file.flags,
            origin,
            source: file.source.as_deref().map(Arc::from),
            simple_name: file.simple_name.as_deref().map(Arc::from),
            fields: Vec::new(),
            layout,
            methods: Vec::new(),
            table: FxHashMap::default(),
            element: None,
            initialiser: None,
            status: Status::New,
            number,
            bootstraps: file.bootstraps.into(),
            mirror,
        };
        self.classes.push(class);
        for field in file.fields {
            self.define_field(id, field);
        }
        for method in file.methods {
            self.define_method(id, &method.name, &method.descriptor, method.flags, method.code)?;
        }
        self.make_table(id);
        Ok(id)
    }

    fn define_field(&mut self, class: ClassId, field: seam::FieldFile) {
        let kind = Kind::of(&field.descriptor);
        let is_static = field.flags & STATIC != 0;
        let slot = if is_static {
            let value = match field.constant {
                Some(Constant::Int(value)) => Value::Int(value),
                Some(Constant::Long(value)) => Value::Long(value),
                Some(Constant::Float(value)) => Value::Float(value),
                Some(Constant::Double(value)) => Value::Double(value),
                Some(Constant::Text(text)) => Value::Ref(self.text(&text)),
                _ => Value::default_of(kind),
            };
            if self.class(class).number.is_some() {
                self.defaults.push((value, class));
                self.defaults.len() - 1
            } else {
                self.statics.push(value);
                self.statics.len() - 1
            }
        } else {
            let layout = &mut self.classes[class.0 as usize].layout;
            layout.push(kind);
            layout.len() - 1
        };
        self.classes[class.0 as usize].fields.push(Field {
            name: field.name.into(),
            descriptor: field.descriptor.into(),
            kind,
            flags: field.flags,
            slot: slot as u32,
        });
    }

    /// Adds a method to a class.
    pub(crate) fn define_method(
        &mut self,
        class: ClassId,
        name: &str,
        descriptor: &str,
        flags: u16,
        code: Option<Code>,
    ) -> Result<MethodId, Need> {
        let Some((parameters, result)) = descriptor::kinds(descriptor) else {
            return Err(self.need(&format!("a descriptor of a method that can be read, not `{descriptor}`")));
        };
        let selector = self.selector(name, descriptor);
        let native = natives::find(&self.class(class).name, name, descriptor);
        let code = code.map(|code| Arc::new(self.link(class, code)));
        let id = MethodId(self.methods.len() as u32);
        self.methods.push(Method {
            class,
            name: name.into(),
            descriptor: descriptor.into(),
            selector,
            flags,
            parameters: parameters.into(),
            result,
            code,
            native,
            live: None,
        });
        let class = &mut self.classes[class.0 as usize];
        class.methods.push(id);
        if name == "<clinit>" {
            class.initialiser = Some(id);
        }
        Ok(id)
    }

    /// Gives sites their numbers in the world.
    fn link(&mut self, class: ClassId, mut code: Code) -> Linked {
        let base = self.mentions.len() as u32;
        let first = self.sites.len() as u32;
        for (number, mention) in (base..).zip(code.mentions.drain(..)) {
            self.mentions.push(mention);
            self.sites.push(Site::Open(class, number));
        }
        for op in &mut code.ops {
            match op {
                Op::Constant(site)
                | Op::GetStatic(site)
                | Op::PutStatic(site)
                | Op::GetField(site)
                | Op::PutField(site)
                | Op::Invoke(_, site)
                | Op::InvokeDynamic(site)
                | Op::New(site)
                | Op::NewRefArray(site)
                | Op::NewMultiArray(site, _)
                | Op::CheckCast(site)
                | Op::InstanceOf(site) => *site += first,
                _ => {}
            }
        }
        let lines = (0..code.ops.len() as u32).map(|op| code.line(op)).collect();
        let mut starts = vec![false; code.ops.len()];
        for (op, _) in &code.lines {
            if let Some(start) = starts.get_mut(*op as usize) {
                *start = true;
            }
        }
        Linked { code, lines, starts, origin: self.class(class).origin }
    }

    /// What calls of each selector lead to: the parent's methods, own ones over them, and default methods of
    /// interfaces where no class has one.
    pub(crate) fn make_table(&mut self, id: ClassId) {
        let class = self.class(id);
        let mut table = class.parent.map(|parent| self.class(parent).table.clone()).unwrap_or_default();
        for method in &class.methods {
            let of = self.method(*method);
            if of.flags & (STATIC | PRIVATE) == 0 && !of.name.starts_with('<') {
                table.insert(of.selector, *method);
            }
        }
        for interface in &class.interfaces {
            let mut inherited: Vec<(u32, MethodId)> =
                self.class(*interface).table.iter().map(|(selector, method)| (*selector, *method)).collect();
            inherited.sort_unstable();
            for (selector, method) in inherited {
                let known = table.get(&selector).copied();
                if known.is_none_or(|known| self.gives_way(known, method)) {
                    table.insert(selector, method);
                }
            }
        }
        self.classes[id.0 as usize].table = table;
    }

    /// Whether a method that was found gives way to one of an interface.
    fn gives_way(&self, known: MethodId, new: MethodId) -> bool {
        let (known, new) = (self.method(known), self.method(new));
        if new.flags & ABSTRACT != 0 {
            return false;
        }
        let holder = self.class(known.class);
        if known.flags & ABSTRACT != 0 {
            return holder.flags & INTERFACE != 0 || known.class == self.common.object;
        }
        // Among default methods, the one of the more special interface.
        holder.flags & INTERFACE != 0 && known.class != new.class && self.is_a(new.class, known.class)
    }

    fn array(&mut self, name: &str) -> Result<ClassId, Need> {
        let element = &name[1..];
        let kind = Kind::of(element);
        let of = match descriptor::class_name(element) {
            None if kind == Kind::Ref => return Err(self.need(&format!("class {name}"))),
            None => None,
            Some(element) => Some(self.load(element)?),
        };
        let id = ClassId(self.classes.len() as u32);
        let object = self.load("java/lang/Object")?;
        let interfaces = vec![self.load("java/lang/Cloneable")?, self.load("java/io/Serializable")?];
        let id = ClassId(id.0.max(self.classes.len() as u32));
        let mut ancestors = vec![id, object];
        ancestors.extend_from_slice(&interfaces);
        // An array of something is an array of all that it is.
        if let Some(of) = of {
            let above: Vec<ClassId> =
                self.class(of).ancestors.iter().copied().filter(|above| *above != of).collect();
            for above in above {
                let name = self.array_name(above);
                ancestors.push(self.load(&name)?);
            }
        }
        let id = ClassId(self.classes.len() as u32);
        ancestors[0] = id;
        ancestors.sort_unstable();
        let table = self.class(object).table.clone();
        let mirror = self.new_mirror();
        self.classes.push(Class {
            name: name.into(),
            parent: Some(object),
            interfaces,
            ancestors,
            flags: FINAL,
            origin: Origin::Uninterrupted,
            source: None,
            simple_name: None,
            fields: Vec::new(),
            layout: Vec::new(),
            methods: Vec::new(),
            table,
            element: Some((kind, of)),
            initialiser: None,
            status: Status::Done,
            number: None,
            bootstraps: Arc::new([]),
            mirror,
        });
        Ok(id)
    }

    /// The name of the class of arrays of a class.
    pub(crate) fn array_name(&self, of: ClassId) -> String {
        let name = &self.class(of).name;
        if name.starts_with('[') { format!("[{name}") } else { format!("[L{name};") }
    }

    /// An object for a class, which `.class` leads to; its own class may not be known yet.
    fn new_mirror(&mut self) -> Ref {
        let layout = self.by_name.get("java/lang/Class").copied().and_then(Result::ok);
        let class = layout.unwrap_or(ClassId(0));
        let fields = layout.map(|class| self.instance(class)).unwrap_or_else(|| Body::Fields(Box::new([])));
        self.base.push(Object::new(class, fields));
        Ref::base(self.base.len() - 1)
    }

    /// The fields of a new instance.
    pub(crate) fn instance(&self, class: ClassId) -> Body {
        Body::Fields(self.class(class).layout.iter().map(|kind| Value::default_of(*kind)).collect())
    }

    /// The class that a mirror stands for.
    pub(crate) fn mirrored(&self, mirror: Ref) -> Option<ClassId> {
        let at = self.classes.iter().position(|class| class.mirror == mirror)?;
        Some(ClassId(at as u32))
    }

    /// The string with this text, which is the same object whenever it is asked for.
    pub(crate) fn text(&mut self, units: &[u16]) -> Ref {
        if let Some(known) = self.texts.get(units) {
            return *known;
        }
        let latin = units.iter().all(|unit| *unit < 256);
        let bytes: Vec<i8> = if latin {
            units.iter().map(|unit| *unit as u8 as i8).collect()
        } else {
            units.iter().flat_map(|unit| unit.to_le_bytes()).map(|byte| byte as i8).collect()
        };
        self.base.push(Object::new(self.common.bytes, Body::Bytes(bytes)));
        let bytes = Ref::base(self.base.len() - 1);
        let string = self.common.string;
        let mut body = self.instance(string);
        if let (Some(value), Some(coder)) = (self.slot(string, "value"), self.slot(string, "coder")) {
            body.set(value, Value::Ref(bytes));
            body.set(coder, Value::Int(i32::from(!latin)));
        }
        self.base.push(Object::new(string, body));
        let made = Ref::base(self.base.len() - 1);
        self.texts.insert(units.to_vec(), made);
        made
    }

    pub(crate) fn text_of(&mut self, text: &str) -> Ref {
        let units: Vec<u16> = text.encode_utf16().collect();
        self.text(&units)
    }
}
