//! One step of a thread: edges are taken until a boundary, a call or a return.

use model::{Code, Failure, Fault};

use super::compile::Act;
use super::halt::Halt;
use super::limits::{LONGEST_STEP, MOST_VALUES, MOST_WAYS, Stuck};
use super::scene::{self, ENDED, INPUTS, THREADS};
use super::threads::Done;
use super::worker::CWorker;
use super::{ASSERTION, ERROR};

/// How an edge was taken.
enum Taken {
    Onward,
    /// Control is somewhere else now.
    Elsewhere,
}

impl CWorker<'_> {
    /// Takes a step of the thread; its label is left in `label`.
    pub(super) fn run(&mut self, thread: usize) -> Result<(), Halt> {
        let machine = self.machine;
        let mut seen = false;
        self.keep_control(thread);
        for taken in 0..LONGEST_STEP {
            self.local = self.scene.threads[thread].top;
            let function = &machine.functions[scene::function(&self.next, self.local)];
            let location = &function.locations[scene::location(&self.next, self.local) as usize];
            if taken > 0 && location.boundary {
                let temporaries = self.local + function.temporaries..self.local + function.size;
                self.next[temporaries].fill(0);
                return Ok(());
            }
            // Alone, a thread is interrupted by nobody; with others, between accesses they could see.
            if seen && location.visible && self.next[THREADS] > 1 {
                return Ok(());
            }
            seen |= location.visible;
            let chosen = match (&location.question, location.count) {
                (Some(question), _) => {
                    self.label = question.label;
                    u32::from(self.value(&question.code)? == 0)
                }
                (None, 0) => return Err(Halt::Blocked),
                (None, 1) => 0,
                (None, count) => self.choose(u64::from(count)) as u32,
            };
            let edge = &function.edges[(location.first + chosen) as usize];
            self.label = edge.label;
            match self.take(thread, &edge.acts)? {
                Taken::Onward => scene::set_location(&mut self.next, self.local, edge.to),
                Taken::Elsewhere => return Ok(()),
            }
        }
        Err(Halt::Fault(Fault::EndlessStep))
    }

    fn take(&mut self, thread: usize, acts: &[Act]) -> Result<Taken, Halt> {
        for act in acts {
            match act {
                Act::SetLocal { offset, scalar, value } => {
                    let value = self.value(value)?;
                    self.put(self.local + *offset as usize, *scalar, value);
                }
                Act::Set { place, scalar, value } => {
                    let value = self.value(value)?;
                    let at = self.value(place)? as usize;
                    self.put(at, *scalar, value);
                }
                Act::Store { address, scalar, value } => {
                    let value = self.value(value)?;
                    let pointer = self.value(address)?;
                    self.store(pointer, *scalar, value)?;
                }
                Act::Copy { to, from, size } => {
                    let from = self.area(from, *size, false)?;
                    let to = self.area(to, *size, true)?;
                    self.copy(to, from, *size as usize)?;
                }
                Act::Clear { at, size } => {
                    let area = self.area(at, *size, true)?;
                    self.note(area, *size as usize, true);
                    if let scene::Bytes::State(at) = area {
                        self.next[at..at + *size as usize].fill(0);
                    }
                }
                Act::Touch { at, size, writes, atomic } => {
                    let size = self.value(size)?.clamp(0, i64::from(u32::MAX)) as u32;
                    let at = self.area(at, size, *writes)?;
                    self.note_access(at, size, *writes, *atomic);
                }
                Act::Assume(condition) => {
                    if self.value(condition)? == 0 {
                        return Err(Halt::Blocked);
                    }
                }
                Act::Assert(condition) => {
                    if self.value(condition)? == 0 {
                        return Err(Halt::Wrong(ASSERTION));
                    }
                }
                Act::Fail(failure) => {
                    return Err(match failure {
                        Failure::Assertion => Halt::Wrong(ASSERTION),
                        Failure::Error => Halt::Wrong(ERROR),
                        Failure::Unreachable => Halt::Fault(Fault::Unreachable),
                    });
                }
                Act::Nondet { place, scalar, range } => {
                    let value = self.input(range.as_ref())?;
                    let at = self.value(place)? as usize;
                    self.put(at, *scalar, value);
                    self.given.push(scalar.wrap(value));
                }
                Act::Call { function, arguments, .. } => {
                    self.evaluate(arguments)?;
                    self.begin_call(thread, *function as usize)?;
                    return Ok(Taken::Elsewhere);
                }
                Act::CallPointer { pointer, arguments, .. } => {
                    let pointer = self.value(pointer)?;
                    let function = self.function_at(pointer)?;
                    if self.machine.functions[function].parameters.len() > arguments.len() {
                        return Err(Halt::Fault(Fault::Signature));
                    }
                    self.evaluate(arguments)?;
                    self.begin_call(thread, function)?;
                    return Ok(Taken::Elsewhere);
                }
                Act::Return(value) => {
                    self.end_call(thread, value.as_ref())?;
                    return Ok(Taken::Elsewhere);
                }
                Act::Exit => {
                    self.next[ENDED] = 1;
                    return Ok(Taken::Elsewhere);
                }
                Act::Builtin { which, arguments, result } => {
                    self.values.clear();
                    for argument in arguments {
                        let value = self.value(argument)?;
                        self.values.push(value);
                    }
                    let value = match self.synchronise(thread, *which)? {
                        Done::Value(value) => value,
                        Done::Stay | Done::Over => return Ok(Taken::Elsewhere),
                    };
                    self.local = self.scene.threads[thread].top;
                    if let Some((place, scalar)) = result {
                        let at = self.value(place)? as usize;
                        self.put(at, *scalar, value);
                    }
                }
            }
        }
        Ok(Taken::Onward)
    }

    /// The value of an input.
    fn input(&mut self, range: Option<&(Code, Code)>) -> Result<i64, Halt> {
        if let Some(inputs) = self.inputs {
            let used = scene::read_u32(&self.next, INPUTS);
            let value = *inputs.get(used as usize).ok_or(Halt::Stuck(Stuck::NoMoreInputs))?;
            scene::write_u32(&mut self.next, INPUTS, used + 1);
            return Ok(value);
        }
        let (low, high) = range.ok_or(Halt::Stuck(Stuck::Input))?;
        let (low, high) = (self.value(low)?, self.value(high)?);
        if low > high {
            return Err(Halt::Blocked);
        }
        let count = high.abs_diff(low).saturating_add(1);
        if count > MOST_VALUES || count.saturating_mul(self.ways()) > MOST_WAYS {
            return Err(Halt::Stuck(Stuck::Input));
        }
        Ok(low + self.choose(count) as i64)
    }
}
