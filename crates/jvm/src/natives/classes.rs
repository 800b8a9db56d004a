//! `java.lang.Class`, and what asks for callers.

use super::{Native, no, nothing, null};
use crate::code::Kind;
use crate::machine::{Machine, Run};
use crate::value::{ClassId, Value};
use crate::world::{INTERFACE, Origin};

pub(super) const TABLE: &[(&str, Native)] = &[
    ("java/lang/Class.desiredAssertionStatus()Z", assertions),
    ("java/lang/Class.getPrimitiveClass(Ljava/lang/String;)Ljava/lang/Class;", primitive_class),
    ("java/lang/Class.getName()Ljava/lang/String;", get_name),
    ("java/lang/Class.getTypeName()Ljava/lang/String;", get_name),
    ("java/lang/Class.getSimpleName()Ljava/lang/String;", simple_name),
    ("java/lang/Class.isInterface()Z", is_interface),
    ("java/lang/Class.isArray()Z", is_array),
    ("java/lang/Class.isPrimitive()Z", is_primitive),
    ("java/lang/Class.isHidden()Z", no),
    ("java/lang/Class.isRecord()Z", is_record),
    ("java/lang/Class.isEnum()Z", is_enum),
    ("java/lang/Class.isInstance(Ljava/lang/Object;)Z", is_instance),
    ("java/lang/Class.isAssignableFrom(Ljava/lang/Class;)Z", is_assignable),
    ("java/lang/Class.getSuperclass()Ljava/lang/Class;", superclass),
    ("java/lang/Class.getComponentType()Ljava/lang/Class;", component),
    ("java/lang/Class.componentType()Ljava/lang/Class;", component),
    ("java/lang/Class.getModifiers()I", modifiers),
    ("java/lang/Class.getClassLoader()Ljava/lang/ClassLoader;", null),
    ("java/lang/Class.getClassLoader0()Ljava/lang/ClassLoader;", null),
    ("java/lang/Class.getEnumConstantsShared()[Ljava/lang/Object;", constants),
    ("java/lang/Class.getDeclaredField(Ljava/lang/String;)Ljava/lang/reflect/Field;", declared_field),
    ("java/lang/Class.forName(Ljava/lang/String;)Ljava/lang/Class;", for_name),
    ("java/lang/ClassLoader.getSystemClassLoader()Ljava/lang/ClassLoader;", null),
    ("jdk/internal/reflect/Reflection.getCallerClass()Ljava/lang/Class;", caller),
    ("jdk/internal/reflect/Reflection.ensureMemberAccess", nothing),
];

impl Machine<'_> {
    /// The class that `this` stands for.
    fn mirrored(&mut self, operands: &[Value], at: usize) -> Run<ClassId> {
        let mirror = self.ref_at(operands, at)?;
        self.not_null(mirror)?;
        self.world.mirrored(mirror).ok_or_else(|| self.bad())
    }
}

/// The kind of numbers that a class stands for.
pub(super) fn primitive(name: &str) -> Option<Kind> {
    Some(match name {
        "boolean" => Kind::Boolean,
        "byte" => Kind::Byte,
        "char" => Kind::Char,
        "short" => Kind::Short,
        "int" => Kind::Int,
        "long" => Kind::Long,
        "float" => Kind::Float,
        "double" => Kind::Double,
        _ => return None,
    })
}

/// Assertions are on in the user's classes.
fn assertions(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    let class = machine.mirrored(operands, 0)?;
    Ok(Machine::flag(machine.world.class(class).origin == Origin::User))
}

fn primitive_class(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    let name = machine.text_at(operands, 0)?;
    let class = machine.world.primitive(&name)?;
    Ok(Some(Value::Ref(machine.world.class(class).mirror)))
}

fn get_name(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    let class = machine.mirrored(operands, 0)?;
    let name = machine.world.class(class).name.replace('/', ".");
    Ok(Some(Value::Ref(machine.world.text_of(&name))))
}

fn simple_name(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    let class = machine.mirrored(operands, 0)?;
    let name = machine.world.simple_name(class);
    Ok(Some(Value::Ref(machine.world.text_of(&name))))
}

impl crate::world::World {
    /// The name of a class without its package.
    pub(crate) fn simple_name(&self, class: ClassId) -> String {
        let class = self.class(class);
        if class.name.starts_with('[') {
            let spelled = crate::descriptor::spelled(&class.name);
            return spelled.rsplit('.').next().unwrap_or(&spelled).to_owned();
        }
        let last = class.name.rsplit('/').next().unwrap_or(&class.name);
        class.simple_name.as_deref().unwrap_or(last).to_owned()
    }

    /// The class of numbers of a kind, which no file has.
    pub(crate) fn primitive(&mut self, name: &str) -> Result<ClassId, crate::world::Need> {
        if let Some(known) = self.by_name.get(name) {
            return *known;
        }
        let file = crate::seam::ClassFile {
            name: name.to_owned(),
            super_name: None,
            interfaces: Vec::new(),
            flags: 0,
            source: None,
            fields: Vec::new(),
            methods: Vec::new(),
            bootstraps: Vec::new(),
            simple_name: None,
        };
        let class = self.define(file, Origin::Uninterrupted, 0);
        self.by_name.insert(name.into(), class);
        class
    }
}

fn is_interface(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    let class = machine.mirrored(operands, 0)?;
    Ok(Machine::flag(machine.world.class(class).flags & INTERFACE != 0))
}

fn is_array(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    let class = machine.mirrored(operands, 0)?;
    Ok(Machine::flag(machine.world.class(class).element.is_some()))
}

fn is_primitive(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    let class = machine.mirrored(operands, 0)?;
    let name = &machine.world.class(class).name;
    Ok(Machine::flag(primitive(name).is_some() || &**name == "void"))
}

fn extends(machine: &mut Machine<'_>, operands: &[Value], name: &str) -> Run<Option<Value>> {
    let class = machine.mirrored(operands, 0)?;
    let parent = machine.world.class(class).parent;
    Ok(Machine::flag(parent.is_some_and(|parent| &*machine.world.class(parent).name == name)))
}

fn is_record(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    extends(machine, operands, "java/lang/Record")
}

fn is_enum(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    extends(machine, operands, "java/lang/Enum")
}

fn is_instance(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    let (class, object) = (machine.mirrored(operands, 0)?, machine.ref_at(operands, 1)?);
    if object.is_null() {
        return Ok(Machine::flag(false));
    }
    Ok(Machine::flag(machine.is_instance(object, class)?))
}

fn is_assignable(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    let (to, from) = (machine.mirrored(operands, 0)?, machine.mirrored(operands, 1)?);
    Ok(Machine::flag(machine.world.is_a(from, to)))
}

fn superclass(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    let class = machine.mirrored(operands, 0)?;
    let class = machine.world.class(class);
    let parent = class.parent.filter(|_| class.flags & INTERFACE == 0);
    Ok(Some(parent.map_or(Value::NULL, |parent| Value::Ref(machine.world.class(parent).mirror))))
}

fn component(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    let class = machine.mirrored(operands, 0)?;
    let class = match machine.world.class(class).element {
        None => return Ok(Some(Value::NULL)),
        Some((_, Some(element))) => element,
        Some((kind, None)) => {
            let name = crate::descriptor::spelled(&kind.letter().to_string());
            machine.world.primitive(&name)?
        }
    };
    Ok(Some(Value::Ref(machine.world.class(class).mirror)))
}

fn modifiers(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    let class = machine.mirrored(operands, 0)?;
    Ok(Some(Value::Int(i32::from(machine.world.class(class).flags & !0x20))))
}

/// A field as an object that knows its class and its name; its offset is all that can be asked of it.
fn declared_field(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    let (class, name) = (machine.mirrored(operands, 0)?, machine.text_at(operands, 1)?);
    if !machine.world.class(class).fields.iter().any(|field| *field.name == *name) {
        return Err(machine.throw("java/lang/NoSuchFieldException", Some(&name)));
    }
    let field = machine.world.load("java/lang/reflect/Field")?;
    let made = machine.new_instance(field);
    let mirror = machine.world.class(class).mirror;
    let name = machine.world.text_of(&name);
    machine.set_named(made, "clazz", Value::Ref(mirror))?;
    machine.set_named(made, "name", Value::Ref(name))?;
    Ok(Some(Value::Ref(made)))
}

/// The constants of an enum, as javac keeps them.
fn constants(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    let class = machine.mirrored(operands, 0)?;
    machine.initialise(class)?;
    let field = machine.world.class(class).fields.iter().find(|field| &*field.name == "$VALUES");
    let Some(slot) = field.map(|field| field.slot) else { return Ok(Some(Value::NULL)) };
    Ok(Some(machine.static_value(class, slot)))
}

fn for_name(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    let name = machine.text_at(operands, 0)?.replace('.', "/");
    let class = machine.world.load(&name)?;
    machine.initialise(class)?;
    Ok(Some(Value::Ref(machine.world.class(class).mirror)))
}

/// The class of the method that called the method that asks.
fn caller(machine: &mut Machine<'_>, _: &[Value]) -> Run<Option<Value>> {
    let frames = &machine.calls.frames;
    let frame = frames.len().checked_sub(2).and_then(|at| frames.get(at));
    let class = frame.map(|frame| machine.world.method(frame.method).class);
    Ok(Some(class.map_or(Value::NULL, |class| Value::Ref(machine.world.class(class).mirror))))
}
