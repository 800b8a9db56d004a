//! `jdk.internal.misc.Unsafe`: an offset is the number of a field or an element, so every access is a typed one.

use super::{Native, no, nothing};
use crate::code::Kind;
use crate::machine::{Machine, Run};
use crate::value::{Ref, Value};

pub(super) const TABLE: &[(&str, Native)] = &[
    ("jdk/internal/misc/Unsafe.objectFieldOffset(Ljava/lang/Class;Ljava/lang/String;)J", field_offset),
    ("jdk/internal/misc/Unsafe.objectFieldOffset(Ljava/lang/reflect/Field;)J", offset_of_field),
    ("jdk/internal/misc/Unsafe.arrayBaseOffset(Ljava/lang/Class;)I", no),
    ("jdk/internal/misc/Unsafe.arrayBaseOffset0(Ljava/lang/Class;)I", no),
    ("jdk/internal/misc/Unsafe.arrayIndexScale(Ljava/lang/Class;)I", one),
    ("jdk/internal/misc/Unsafe.arrayIndexScale0(Ljava/lang/Class;)I", one),
    ("jdk/internal/misc/Unsafe.addressSize0()I", word),
    ("jdk/internal/misc/Unsafe.isBigEndian0()Z", no),
    ("jdk/internal/misc/Unsafe.unalignedAccess0()Z", no),
    ("jdk/internal/misc/Unsafe.fullFence()V", nothing),
    ("jdk/internal/misc/Unsafe.loadFence()V", nothing),
    ("jdk/internal/misc/Unsafe.storeFence()V", nothing),
    ("jdk/internal/misc/Unsafe.storeStoreFence()V", nothing),
    ("jdk/internal/misc/Unsafe.loadLoadFence()V", nothing),
    ("jdk/internal/misc/Unsafe.ensureClassInitialized0(Ljava/lang/Class;)V", ensure_initialised),
    ("jdk/internal/misc/Unsafe.shouldBeInitialized0(Ljava/lang/Class;)Z", no),
    ("jdk/internal/misc/Unsafe.allocateUninitializedArray(Ljava/lang/Class;I)Ljava/lang/Object;", new_array),
];

/// Accesses of all kinds and strengths have names that say what they do. Memory is sequentially consistent, so the
/// strength says nothing.
///
/// Which function of [`super::BY_NAME`] that is.
pub(super) fn by_name(name: &str) -> Option<u16> {
    let kinds = ["Int", "Long", "Reference", "Object", "Boolean", "Byte", "Short", "Char", "Float", "Double"];
    let rest = |prefix: &str| {
        let rest = name.strip_prefix(prefix)?;
        let rest = kinds.iter().find_map(|kind| rest.strip_prefix(kind))?;
        matches!(rest, "" | "Volatile" | "Acquire" | "Release" | "Opaque" | "Plain").then_some(())
    };
    if rest("getAndAdd").is_some() {
        return Some(3);
    }
    if rest("getAndSet").is_some() {
        return Some(4);
    }
    if rest("compareAndSet").is_some() || rest("weakCompareAndSet").is_some() {
        return Some(5);
    }
    if rest("compareAndExchange").is_some() {
        return Some(6);
    }
    if rest("get").is_some() {
        return Some(1);
    }
    rest("put").map(|()| 2)
}

/// Adds two numbers of the same sort.
pub(super) fn sum(one: Value, two: Value) -> Option<Value> {
    Some(match (one, two) {
        (Value::Int(one), Value::Int(two)) => Value::Int(one.wrapping_add(two)),
        (Value::Long(one), Value::Long(two)) => Value::Long(one.wrapping_add(two)),
        (Value::Float(one), Value::Float(two)) => Value::Float(one + two),
        (Value::Double(one), Value::Double(two)) => Value::Double(one + two),
        _ => return None,
    })
}

fn one(_: &mut Machine<'_>, _: &[Value]) -> Run<Option<Value>> {
    Ok(Some(Value::Int(1)))
}

fn word(_: &mut Machine<'_>, _: &[Value]) -> Run<Option<Value>> {
    Ok(Some(Value::Int(8)))
}

fn field_offset(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    let mirror = machine.ref_at(operands, 1)?;
    let name = machine.text_at(operands, 2)?;
    let Some(class) = machine.world.mirrored(mirror) else { return Err(machine.bad()) };
    match machine.world.slot(class, &name) {
        Some(slot) => Ok(Some(Value::Long(slot as i64))),
        None => Err(machine.throw("java/lang/InternalError", Some(&name))),
    }
}

fn offset_of_field(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    let field = machine.ref_at(operands, 1)?;
    machine.not_null(field)?;
    let (class, name) = (machine.named(field, "clazz")?, machine.named(field, "name")?);
    field_offset(machine, &[Value::NULL, class, name])
}

fn ensure_initialised(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    let mirror = machine.ref_at(operands, 1)?;
    let Some(class) = machine.world.mirrored(mirror) else { return Err(machine.bad()) };
    machine.initialise(class)?;
    Ok(None)
}

fn new_array(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    let (mirror, length) = (machine.ref_at(operands, 1)?, machine.int_at(operands, 2)?);
    let class = machine.world.mirrored(mirror);
    let kind = class.and_then(|class| super::classes::primitive(&machine.world.class(class).name));
    let (Some(kind), Ok(length)) = (kind, usize::try_from(length)) else { return Err(machine.bad()) };
    Ok(Some(Value::Ref(machine.new_array(kind, None, length)?)))
}

/// The object and the slot that an access is about.
fn place(machine: &mut Machine<'_>, operands: &[Value]) -> Run<(Ref, u32)> {
    let (object, offset) = (machine.ref_at(operands, 1)?, machine.long_at(operands, 2)?);
    if object.is_null() {
        return Err(machine.unsupported("memory outside of the heap"));
    }
    match u32::try_from(offset) {
        Ok(slot) => Ok((object, slot)),
        Err(_) => Err(machine.bad()),
    }
}

pub(super) fn get(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    let (object, slot) = place(machine, operands)?;
    machine.touch(object, slot, false)?;
    Ok(Some(machine.value(object, slot as usize)?))
}

pub(super) fn put(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    let (object, slot) = place(machine, operands)?;
    let Some(value) = operands.get(3).copied() else { return Err(machine.bad()) };
    machine.touch(object, slot, true)?;
    machine.store(object, slot as usize, value)?;
    Ok(None)
}

pub(super) fn get_and_add(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    let (object, slot) = place(machine, operands)?;
    let Some(by) = operands.get(3).copied() else { return Err(machine.bad()) };
    machine.touch(object, slot, false)?;
    machine.touch(object, slot, true)?;
    let old = machine.value(object, slot as usize)?;
    let Some(new) = sum(old, by) else { return Err(machine.bad()) };
    machine.store(object, slot as usize, new)?;
    Ok(Some(old))
}

pub(super) fn get_and_set(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    let (object, slot) = place(machine, operands)?;
    let Some(new) = operands.get(3).copied() else { return Err(machine.bad()) };
    machine.touch(object, slot, false)?;
    machine.touch(object, slot, true)?;
    let old = machine.value(object, slot as usize)?;
    machine.store(object, slot as usize, new)?;
    Ok(Some(old))
}

/// Sets a value if it is still what was expected; what it was before.
fn exchange(machine: &mut Machine<'_>, operands: &[Value]) -> Run<(Value, bool)> {
    let (object, slot) = place(machine, operands)?;
    let (Some(expected), Some(new)) = (operands.get(3).copied(), operands.get(4).copied()) else {
        return Err(machine.bad());
    };
    machine.touch(object, slot, false)?;
    let old = machine.value(object, slot as usize)?;
    let same = old.same(expected);
    if same {
        machine.touch(object, slot, true)?;
        machine.store(object, slot as usize, new)?;
    }
    Ok((old, same))
}

pub(super) fn compare_and_set(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    Ok(Machine::flag(exchange(machine, operands)?.1))
}

pub(super) fn compare_and_exchange(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    Ok(Some(exchange(machine, operands)?.0))
}

/// What a variable of a kind holds of a value that is given.
pub(super) fn kept(value: Value, kind: Kind) -> Value {
    value.narrowed(kind)
}
