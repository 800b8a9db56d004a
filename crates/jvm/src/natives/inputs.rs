//! Inputs: values that come from outside, all of which are tried.
//!
//! `Verify` of Java PathFinder and `Verifier` of SV-COMP are known by their names, so that programs written for them run
//! as they are. `java.util.Random` without a seed gives every value within its bound; with a seed it is an ordinary
//! class.

use super::{Native, nothing};
use crate::machine::{Halt, Machine, Run};
use crate::value::Value;

/// How many values of one input are tried; more are refused.
const MOST_VALUES: i64 = 1 << 12;

pub(super) const TABLE: &[(&str, Native)] = &[
    ("gov/nasa/jpf/vm/Verify.getInt(II)I", between),
    ("gov/nasa/jpf/vm/Verify.random(I)I", up_to),
    ("gov/nasa/jpf/vm/Verify.getBoolean()Z", truth),
    ("gov/nasa/jpf/vm/Verify.randomBool()Z", truth),
    ("gov/nasa/jpf/vm/Verify.beginAtomic()V", nothing),
    ("gov/nasa/jpf/vm/Verify.endAtomic()V", nothing),
    ("gov/nasa/jpf/vm/Verify.ignoreIf(Z)V", ignore_if),
    ("gov/nasa/jpf/jvm/Verify.getInt(II)I", between),
    ("gov/nasa/jpf/jvm/Verify.random(I)I", up_to),
    ("gov/nasa/jpf/jvm/Verify.getBoolean()Z", truth),
    ("org/sosy_lab/sv_benchmarks/Verifier.nondetBoolean()Z", truth),
    ("org/sosy_lab/sv_benchmarks/Verifier.nondetByte()B", byte),
    ("org/sosy_lab/sv_benchmarks/Verifier.nondetInt()I", wide),
    ("org/sosy_lab/sv_benchmarks/Verifier.nondetLong()J", wide),
    ("org/sosy_lab/sv_benchmarks/Verifier.assume(Z)V", assume),
    ("java/util/Random.<init>()V", unseeded),
    ("java/util/Random.nextInt(I)I", random_below),
    ("java/util/Random.nextInt()I", random_wide),
    ("java/util/Random.nextLong()J", random_wide),
    ("java/util/Random.nextDouble()D", random_wide),
    ("java/util/Random.nextBoolean()Z", random_truth),
    ("java/util/concurrent/ThreadLocalRandom.nextInt(I)I", local_below),
    ("java/util/concurrent/ThreadLocalRandom.nextInt(II)I", local_between),
    ("java/util/concurrent/ThreadLocalRandom.nextBoolean()Z", truth),
    ("java/util/concurrent/ThreadLocalRandom.nextInt()I", wide),
    ("java/util/concurrent/ThreadLocalRandom.nextLong()J", wide),
    ("java/util/concurrent/ThreadLocalRandom.nextDouble()D", wide),
    ("java/lang/Math.random()D", wide),
];

impl Machine<'_> {
    /// A whole number between two bounds.
    fn take(&mut self, low: i64, high: i64) -> Run<i64> {
        let count = high.saturating_sub(low).saturating_add(1);
        if count <= 0 {
            return Err(self.throw("java/lang/IllegalArgumentException", Some("an input without a value")));
        }
        if count > MOST_VALUES {
            return Err(self.needs(
                "an input with fewer values (Verify.getInt(low, high) or nextInt(bound) gives it bounds)",
            ));
        }
        let value = low + self.input(count as usize)? as i64;
        self.give(value);
        Ok(value)
    }

    fn take_int(&mut self, low: i32, high: i32) -> Run<Option<Value>> {
        Ok(Some(Value::Int(self.take(i64::from(low), i64::from(high))? as i32)))
    }

    /// Whether `this` is a source of random numbers without a seed.
    fn is_unseeded(&mut self, operands: &[Value]) -> Run<bool> {
        let object = self.ref_at(operands, 0)?;
        let class = self.class_of(object)?;
        if &*self.world.class(class).name != "java/util/Random" {
            return Ok(false);
        }
        Ok(matches!(self.named(object, "seed")?, Value::Ref(seed) if seed.is_null()))
    }
}

fn between(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    let (low, high) = (machine.int_at(operands, 0)?, machine.int_at(operands, 1)?);
    machine.take_int(low, high)
}

fn up_to(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    let high = machine.int_at(operands, 0)?;
    machine.take_int(0, high)
}

fn truth(machine: &mut Machine<'_>, _: &[Value]) -> Run<Option<Value>> {
    machine.take_int(0, 1)
}

fn byte(machine: &mut Machine<'_>, _: &[Value]) -> Run<Option<Value>> {
    machine.take_int(-128, 127)
}

fn wide(machine: &mut Machine<'_>, _: &[Value]) -> Run<Option<Value>> {
    machine.take(i64::MIN, i64::MAX).map(|_| None)
}

/// A trace that the program says to leave out ends properly.
fn assume(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    if machine.int_at(operands, 0)? != 0 {
        return Ok(None);
    }
    machine.conduct.dirty = true;
    Err(Halt::Exit)
}

fn ignore_if(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    if machine.int_at(operands, 0)? == 0 {
        return Ok(None);
    }
    machine.conduct.dirty = true;
    Err(Halt::Exit)
}

/// Leaves the seed out, by which such an object is known.
fn unseeded(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    let object = machine.ref_at(operands, 0)?;
    let class = machine.class_of(object)?;
    if &*machine.world.class(class).name == "java/util/Random" && !machine.in_base {
        return Ok(None);
    }
    Err(Halt::Bytecode)
}

fn random_below(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    if !machine.is_unseeded(operands)? {
        return Err(Halt::Bytecode);
    }
    let bound = machine.int_at(operands, 1)?;
    if bound <= 0 {
        return Err(machine.throw("java/lang/IllegalArgumentException", Some("bound must be positive")));
    }
    machine.take_int(0, bound - 1)
}

fn random_wide(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    if !machine.is_unseeded(operands)? {
        return Err(Halt::Bytecode);
    }
    wide(machine, operands)
}

fn random_truth(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    if !machine.is_unseeded(operands)? {
        return Err(Halt::Bytecode);
    }
    machine.take_int(0, 1)
}

fn local_below(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    let bound = machine.int_at(operands, 1)?;
    if bound <= 0 {
        return Err(machine.throw("java/lang/IllegalArgumentException", Some("bound must be positive")));
    }
    machine.take_int(0, bound - 1)
}

fn local_between(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    let (low, high) = (machine.int_at(operands, 1)?, machine.int_at(operands, 2)?);
    if low >= high {
        return Err(
            machine.throw("java/lang/IllegalArgumentException", Some("bound must be greater than origin"))
        );
    }
    machine.take_int(low, high - 1)
}
