//! Threads: started, joined, interrupted, parked.

use super::{Native, no, nothing, null};
use crate::code::Dispatch;
use crate::machine::{Halt, Machine, Note, Run, Wait};
use crate::scene::Thread;
use crate::value::{Ref, Value};

/// No more threads can be told apart.
const MOST_THREADS: usize = 64;

/// What `Thread.threadStatus` says.
const RUNNABLE: i32 = 5;
const TERMINATED: i32 = 2;

pub(super) const TABLE: &[(&str, Native)] = &[
    ("java/lang/Thread.currentThread()Ljava/lang/Thread;", current),
    ("java/lang/Thread.start()V", start),
    ("java/lang/Thread.join()V", join),
    ("java/lang/Thread.join(J)V", join_timed),
    ("java/lang/Thread.isAlive()Z", is_alive),
    ("java/lang/Thread.sleep(J)V", sleep),
    ("java/lang/Thread.sleep(JI)V", sleep),
    ("java/lang/Thread.yield()V", nothing),
    ("java/lang/Thread.onSpinWait()V", nothing),
    ("java/lang/Thread.interrupt()V", interrupt),
    ("java/lang/Thread.isInterrupted()Z", is_interrupted),
    ("java/lang/Thread.interrupted()Z", interrupted),
    ("java/lang/Thread.holdsLock(Ljava/lang/Object;)Z", holds_lock),
    ("java/lang/Thread.getContextClassLoader()Ljava/lang/ClassLoader;", null),
    ("java/lang/Thread.isCCLOverridden(Ljava/lang/Class;)Z", no),
    ("java/lang/Thread.setPriority0(I)V", nothing),
    ("java/lang/Thread.setNativeName(Ljava/lang/String;)V", nothing),
    ("java/lang/ThreadGroup.addUnstarted()V", nothing),
    ("java/lang/ThreadGroup.checkAccess()V", nothing),
    ("java/lang/Thread.checkAccess()V", nothing),
    ("jdk/internal/misc/Unsafe.park(ZJ)V", park),
    ("jdk/internal/misc/Unsafe.unpark(Ljava/lang/Object;)V", unpark),
];

fn current(machine: &mut Machine<'_>, _: &[Value]) -> Run<Option<Value>> {
    Ok(Some(Value::Ref(machine.scene.threads[machine.thread].object)))
}

fn start(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    let object = machine.ref_at(operands, 0)?;
    machine.visible()?;
    if machine.in_base {
        return Err(machine.unsupported("a JDK class whose initialiser starts no thread"));
    }
    if !matches!(machine.named(object, "threadStatus")?, Value::Int(0)) {
        return Err(machine.throw("java/lang/IllegalThreadStateException", None));
    }
    if machine.scene.threads.len() >= MOST_THREADS {
        return Err(machine.unsupported("more than 64 threads"));
    }
    machine.set_named(object, "threadStatus", Value::Int(RUNNABLE))?;
    let daemon = matches!(machine.named(object, "daemon")?, Value::Int(1));
    let launcher = machine.world.launcher()?;
    let place = machine.place();
    let started = place.map_or(0, |(method, op)| machine.world.place(method, op) + 1);
    machine.scene.threads.push(Thread { object, daemon, started, ..Thread::default() });
    let other = machine.scene.threads.len() - 1;
    if let Value::Ref(name) = machine.named(object, "name")?
        && !name.is_null()
    {
        let name = machine.read_string(name)?;
        machine.world.name_thread(other, name);
    }
    // The new thread begins with a call of its own.
    let mut starter = Machine::new(machine.world, machine.scene, machine.conduct, other);
    starter.begin(launcher, &[Value::Ref(object)], None)?;
    let calls = std::mem::take(&mut starter.calls);
    machine.scene.threads[other].calls = calls;
    if machine.conduct.place.is_none() {
        machine.conduct.place = place;
    }
    machine.conduct.alone = false;
    machine.conduct.use_up();
    machine.share();
    Ok(None)
}

impl crate::world::World {
    /// The method that every thread begins with.
    fn launcher(&mut self) -> Result<crate::value::MethodId, crate::world::Need> {
        use crate::code::{Code, Member, Mention, Op};
        let thread = self.common.thread;
        if let Some(known) = self.declared(thread, "wherefore$run", "(Ljava/lang/Thread;)V") {
            return Ok(known);
        }
        let member =
            Member { class: "java/lang/Thread".into(), name: "run".into(), descriptor: "()V".into() };
        let code = Code {
            max_locals: 1,
            max_stack: 1,
            ops: vec![Op::Load(0), Op::Invoke(Dispatch::Virtual, 0), Op::Return(false)],
            mentions: vec![Mention::Member(member)],
            ..Code::default()
        };
        self.define_method(thread, "wherefore$run", "(Ljava/lang/Thread;)V", crate::world::STATIC, Some(code))
    }
}

impl Machine<'_> {
    /// The thread that runs has nothing left to do.
    pub(crate) fn end_thread(&mut self) {
        let thread = &mut self.scene.threads[self.thread];
        thread.ended = true;
        thread.permit = false;
        thread.late = false;
        thread.interrupted = false;
        let object = thread.object;
        let fields = [
            ("threadStatus", Value::Int(TERMINATED)),
            ("target", Value::NULL),
            ("threadLocals", Value::NULL),
            ("inheritableThreadLocals", Value::NULL),
        ];
        for (name, value) in fields {
            // Other versions of the JDK keep these elsewhere; they are only tidied up.
            let _ = self.set_named(object, name, value);
        }
    }

    fn await_end(&mut self, object: Ref, timed: bool) -> Run<Option<Value>> {
        self.not_null(object)?;
        if std::mem::take(&mut self.scene.threads[self.thread].interrupted) {
            self.conduct.dirty = true;
            return Err(self.throw("java/lang/InterruptedException", None));
        }
        let Some(other) = self.scene.thread_of(object) else {
            // It was never started, or ended so long ago that nobody knows it.
            return Ok(None);
        };
        if !self.scene.threads[other].ended && !timed {
            return Err(Halt::Blocked(Wait::Thread(other)));
        }
        self.visible()?;
        Ok(None)
    }
}

fn join(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    let object = machine.ref_at(operands, 0)?;
    machine.await_end(object, false)
}

fn join_timed(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    let (object, time) = (machine.ref_at(operands, 0)?, machine.long_at(operands, 1)?);
    machine.await_end(object, time > 0)
}

fn is_alive(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    let object = machine.ref_at(operands, 0)?;
    machine.visible()?;
    let alive = machine.scene.thread_of(object).is_some_and(|thread| !machine.scene.threads[thread].ended);
    Ok(Machine::flag(alive))
}

fn sleep(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    if machine.long_at(operands, 0)? < 0 {
        return Err(machine.throw("java/lang/IllegalArgumentException", Some("timeout value is negative")));
    }
    machine.visible()?;
    if std::mem::take(&mut machine.scene.threads[machine.thread].interrupted) {
        return Err(machine.throw("java/lang/InterruptedException", Some("sleep interrupted")));
    }
    Ok(None)
}

fn interrupt(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    let object = machine.ref_at(operands, 0)?;
    machine.visible()?;
    if let Some(thread) = machine.scene.thread_of(object)
        && !machine.scene.threads[thread].ended
    {
        machine.scene.threads[thread].interrupted = true;
    }
    Ok(None)
}

fn is_interrupted(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    let object = machine.ref_at(operands, 0)?;
    machine.visible()?;
    let thread = machine.scene.thread_of(object);
    Ok(Machine::flag(thread.is_some_and(|thread| machine.scene.threads[thread].interrupted)))
}

fn interrupted(machine: &mut Machine<'_>, _: &[Value]) -> Run<Option<Value>> {
    machine.visible()?;
    Ok(Machine::flag(std::mem::take(&mut machine.scene.threads[machine.thread].interrupted)))
}

fn holds_lock(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    let object = machine.ref_at(operands, 0)?;
    machine.not_null(object)?;
    let owner = machine.scene.monitor(object).map(|monitor| usize::from(monitor.owner));
    Ok(Machine::flag(owner == Some(machine.thread)))
}

/// Waits for a permit. A thread that waits for some time only may go on at any time.
fn park(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    let timed = machine.int_at(operands, 1)? != 0 || machine.long_at(operands, 2)? > 0;
    if machine.in_base {
        return Err(machine.unsupported("a JDK class whose initialiser does not wait"));
    }
    let thread = &machine.scene.threads[machine.thread];
    if thread.permit || thread.interrupted {
        machine.visible()?;
        machine.scene.threads[machine.thread].permit = false;
        machine.conduct.dirty = true;
        return Ok(None);
    }
    if timed {
        // Others get a chance first.
        if machine.conduct.is_used() {
            return Err(Halt::Stop);
        }
        machine.visible()?;
        machine.scene.threads[machine.thread].late = true;
        machine.conduct.dirty = true;
        return Ok(None);
    }
    Err(Halt::Blocked(Wait::Permit))
}

fn unpark(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    let object = machine.ref_at(operands, 1)?;
    if let Some(thread) = machine.scene.thread_of(object) {
        machine.visible()?;
        if !machine.scene.threads[thread].ended {
            machine.scene.threads[thread].permit = true;
            machine.note(Note::Unpark(thread));
        }
    }
    Ok(None)
}
