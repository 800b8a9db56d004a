//! `VarHandle`: an object that knows a field or says that it is about elements; every access is a typed one.

use super::Native;
use super::unsafe_access::{kept, sum};
use crate::code::Kind;
use crate::machine::{Machine, Run};
use crate::value::{ClassId, Ref, Value};
use crate::world::{Handled, Origin};

const LOOKUP: &str = "java/lang/invoke/MethodHandles$Lookup";
const HANDLE: &str = "java/lang/invoke/VarHandle";

pub(super) const TABLE: &[(&str, Native)] = &[
    ("java/lang/invoke/MethodHandles.lookup()Ljava/lang/invoke/MethodHandles$Lookup;", lookup),
    ("java/lang/invoke/MethodHandles.privateLookupIn", lookup),
    (
        "java/lang/invoke/MethodHandles.arrayElementVarHandle(Ljava/lang/Class;)Ljava/lang/invoke/VarHandle;",
        element,
    ),
    ("java/lang/invoke/MethodHandles$Lookup.findVarHandle", find),
    ("java/lang/invoke/MethodHandles$Lookup.findStaticVarHandle", find_static),
    ("java/lang/invoke/VarHandle.withInvokeExactBehavior()Ljava/lang/invoke/VarHandle;", same),
    ("java/lang/invoke/VarHandle.fullFence()V", super::nothing),
    ("java/lang/invoke/VarHandle.acquireFence()V", super::nothing),
    ("java/lang/invoke/VarHandle.releaseFence()V", super::nothing),
    ("java/lang/invoke/VarHandle.loadLoadFence()V", super::nothing),
    ("java/lang/invoke/VarHandle.storeStoreFence()V", super::nothing),
    ("java/lang/invoke/VarHandle.get", get),
    ("java/lang/invoke/VarHandle.getVolatile", get),
    ("java/lang/invoke/VarHandle.getAcquire", get),
    ("java/lang/invoke/VarHandle.getOpaque", get),
    ("java/lang/invoke/VarHandle.set", set),
    ("java/lang/invoke/VarHandle.setVolatile", set),
    ("java/lang/invoke/VarHandle.setRelease", set),
    ("java/lang/invoke/VarHandle.setOpaque", set),
    ("java/lang/invoke/VarHandle.compareAndSet", compare_and_set),
    ("java/lang/invoke/VarHandle.weakCompareAndSet", compare_and_set),
    ("java/lang/invoke/VarHandle.weakCompareAndSetPlain", compare_and_set),
    ("java/lang/invoke/VarHandle.weakCompareAndSetAcquire", compare_and_set),
    ("java/lang/invoke/VarHandle.weakCompareAndSetRelease", compare_and_set),
    ("java/lang/invoke/VarHandle.compareAndExchange", compare_and_exchange),
    ("java/lang/invoke/VarHandle.compareAndExchangeAcquire", compare_and_exchange),
    ("java/lang/invoke/VarHandle.compareAndExchangeRelease", compare_and_exchange),
    ("java/lang/invoke/VarHandle.getAndSet", get_and_set),
    ("java/lang/invoke/VarHandle.getAndSetAcquire", get_and_set),
    ("java/lang/invoke/VarHandle.getAndSetRelease", get_and_set),
    ("java/lang/invoke/VarHandle.getAndAdd", get_and_add),
    ("java/lang/invoke/VarHandle.getAndAddAcquire", get_and_add),
    ("java/lang/invoke/VarHandle.getAndAddRelease", get_and_add),
    ("java/lang/invoke/VarHandle.getAndBitwiseOr", get_and_or),
    ("java/lang/invoke/VarHandle.getAndBitwiseOrAcquire", get_and_or),
    ("java/lang/invoke/VarHandle.getAndBitwiseOrRelease", get_and_or),
    ("java/lang/invoke/VarHandle.getAndBitwiseAnd", get_and_and),
];

fn lookup(machine: &mut Machine<'_>, _: &[Value]) -> Run<Option<Value>> {
    let class = machine.world.load(LOOKUP)?;
    Ok(Some(Value::Ref(machine.new_instance(class))))
}

fn same(_: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    Ok(operands.first().copied())
}

impl Machine<'_> {
    /// An object for a handle. What it stands for is known by its identity hash, which nobody asks for.
    fn handle(&mut self, handled: Handled) -> Run<Option<Value>> {
        let class = self.world.load(HANDLE)?;
        self.world.handles.push(handled);
        let number = self.world.handles.len() as i32;
        let made = self.new_instance(class);
        self.object_mut(made)?.hash = number;
        Ok(Some(Value::Ref(made)))
    }

    fn field_handle(&mut self, operands: &[Value], is_static: bool) -> Run<Option<Value>> {
        let mirror = self.ref_at(operands, 1)?;
        let name = self.text_at(operands, 2)?;
        let Some(class) = self.world.mirrored(mirror) else { return Err(self.bad()) };
        let field = self.world.field(class, &name).filter(|field| field.is_static() == is_static);
        let Some((slot, kind)) = field.map(|field| (field.slot, field.kind)) else {
            return Err(self.throw("java/lang/NoSuchFieldException", Some(&name)));
        };
        if is_static {
            return self.handle(Handled::Static { class, slot, kind });
        }
        self.handle(Handled::Field { slot, kind })
    }
}

fn find(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    machine.field_handle(operands, false)
}

fn find_static(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    machine.field_handle(operands, true)
}

fn element(machine: &mut Machine<'_>, _: &[Value]) -> Run<Option<Value>> {
    machine.handle(Handled::Element)
}

/// A variable that a handle leads to.
#[derive(Clone, Copy)]
enum Variable {
    Slot(Ref, u32, Kind),
    Static(ClassId, u32, Kind),
}

/// The variable, and how many operands say which it is.
fn variable(machine: &mut Machine<'_>, operands: &[Value]) -> Run<(Variable, usize)> {
    let handle = machine.ref_at(operands, 0)?;
    machine.not_null(handle)?;
    let number = machine.scene.object(machine.world, handle).map_or(0, |object| object.hash);
    let handled = usize::try_from(number - 1).ok().and_then(|at| machine.world.handles.get(at).copied());
    match handled {
        Some(Handled::Field { slot, kind }) => {
            let object = machine.ref_at(operands, 1)?;
            machine.not_null(object)?;
            Ok((Variable::Slot(object, slot, kind), 2))
        }
        Some(Handled::Element) => {
            let (array, index) = (machine.ref_at(operands, 1)?, machine.int_at(operands, 2)?);
            let length = machine.array_length(array)?;
            if index < 0 || index as usize >= length {
                let text = format!("Index {index} out of bounds for length {length}");
                return Err(machine.throw("java/lang/ArrayIndexOutOfBoundsException", Some(&text)));
            }
            let class = machine.class_of(array)?;
            let kind = machine.world.class(class).element.map_or(Kind::Ref, |(kind, _)| kind);
            Ok((Variable::Slot(array, index as u32, kind), 3))
        }
        Some(Handled::Static { class, slot, kind }) => {
            machine.initialise(class)?;
            Ok((Variable::Static(class, slot, kind), 1))
        }
        None => Err(machine.unsupported("a handle to a variable that was made in an ordinary way")),
    }
}

fn read(machine: &mut Machine<'_>, variable: Variable) -> Run<Value> {
    match variable {
        Variable::Slot(object, slot, _) => {
            machine.touch(object, slot, false)?;
            machine.value(object, slot as usize)
        }
        Variable::Static(class, slot, _) => {
            if machine.world.class(class).origin == Origin::User {
                machine.touch_static(slot, false)?;
            }
            Ok(machine.static_value(class, slot))
        }
    }
}

fn write(machine: &mut Machine<'_>, variable: Variable, value: Value) -> Run<()> {
    match variable {
        Variable::Slot(object, slot, kind) => {
            machine.touch(object, slot, true)?;
            machine.store(object, slot as usize, kept(value, kind))
        }
        Variable::Static(class, slot, kind) => {
            if machine.world.class(class).origin == Origin::User {
                machine.touch_static(slot, true)?;
            }
            machine.set_static(class, slot, kept(value, kind));
            Ok(())
        }
    }
}

fn operand(machine: &mut Machine<'_>, operands: &[Value], at: usize) -> Run<Value> {
    operands.get(at).copied().ok_or_else(|| machine.bad())
}

fn get(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    let (variable, _) = variable(machine, operands)?;
    Ok(Some(read(machine, variable)?))
}

fn set(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    let (variable, from) = variable(machine, operands)?;
    let value = operand(machine, operands, from)?;
    write(machine, variable, value)?;
    Ok(None)
}

fn exchanged(machine: &mut Machine<'_>, operands: &[Value]) -> Run<(Value, bool)> {
    let (variable, from) = variable(machine, operands)?;
    let (expected, new) = (operand(machine, operands, from)?, operand(machine, operands, from + 1)?);
    let old = read(machine, variable)?;
    let same = old.same(expected);
    if same {
        write_with_read(machine, variable, new)?;
    }
    Ok((old, same))
}

/// Writes what was read in the same action.
fn write_with_read(machine: &mut Machine<'_>, variable: Variable, value: Value) -> Run<()> {
    match variable {
        Variable::Slot(object, slot, kind) => machine.store(object, slot as usize, kept(value, kind)),
        Variable::Static(class, slot, kind) => {
            machine.set_static(class, slot, kept(value, kind));
            Ok(())
        }
    }
}

fn compare_and_set(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    Ok(Machine::flag(exchanged(machine, operands)?.1))
}

fn compare_and_exchange(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    Ok(Some(exchanged(machine, operands)?.0))
}

fn updated(
    machine: &mut Machine<'_>,
    operands: &[Value],
    with: fn(Value, Value) -> Option<Value>,
) -> Run<Option<Value>> {
    let (variable, from) = variable(machine, operands)?;
    let given = operand(machine, operands, from)?;
    let old = read(machine, variable)?;
    let Some(new) = with(old, given) else { return Err(machine.bad()) };
    write_with_read(machine, variable, new)?;
    Ok(Some(old))
}

fn get_and_set(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    updated(machine, operands, |_, new| Some(new))
}

fn get_and_add(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    updated(machine, operands, sum)
}

fn get_and_or(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    updated(machine, operands, |one, two| match (one, two) {
        (Value::Int(one), Value::Int(two)) => Some(Value::Int(one | two)),
        (Value::Long(one), Value::Long(two)) => Some(Value::Long(one | two)),
        _ => None,
    })
}

fn get_and_and(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    updated(machine, operands, |one, two| match (one, two) {
        (Value::Int(one), Value::Int(two)) => Some(Value::Int(one & two)),
        (Value::Long(one), Value::Long(two)) => Some(Value::Long(one & two)),
        _ => None,
    })
}
