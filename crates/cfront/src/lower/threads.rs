//! Threads, locks and signals: POSIX threads, those of C11, semaphores.

use model::{Binary, Builtin, Command, Expr, Scalar};

use super::Lowered;
use super::body::Body;
use super::places::moved;
use crate::tree::{ExprId, Type, TypeId};

/// They do nothing here, and succeed.
const NOTHING: &[&str] = &[
    "pthread_detach",
    "thrd_detach",
    "pthread_attr_init",
    "pthread_attr_destroy",
    "pthread_attr_setdetachstate",
    "pthread_attr_setstacksize",
    "pthread_mutexattr_destroy",
    "pthread_mutexattr_setpshared",
    "pthread_cond_init",
    "cnd_init",
    "pthread_condattr_init",
    "pthread_condattr_destroy",
    "pthread_barrier_destroy",
    "pthread_barrierattr_init",
    "pthread_barrierattr_destroy",
    "pthread_rwlockattr_init",
    "pthread_rwlockattr_destroy",
    "pthread_setcancelstate",
    "sem_destroy",
];

const INT: Scalar = Scalar::I32;
/// What is returned by a function that could not have a lock.
const BUSY: i64 = 16;

impl Body<'_, '_> {
    /// A function that has to do with threads; none if it is another one.
    pub(super) fn thread_call(&mut self, name: &str, arguments: &[ExprId]) -> Lowered<Option<Expr>> {
        let fine = Ok(Some(Expr::Constant(0)));
        if NOTHING.contains(&name) {
            self.effects(arguments)?;
            return fine;
        }
        match (name, arguments) {
            ("pthread_create", [thread, _, start, argument]) | ("thrd_create", [thread, start, argument]) => {
                self.start_thread(*thread, *start, *argument)?;
                fine
            }
            ("pthread_join" | "thrd_join", [thread, result]) => {
                self.join_thread(*thread, *result)?;
                fine
            }
            ("pthread_self" | "thrd_current", []) => Ok(self.ask(Builtin::CurrentThread, Vec::new(), true)),
            ("pthread_equal" | "thrd_equal", [left, right]) => {
                let (left, right) = (self.value(*left)?, self.value(*right)?);
                Ok(Some(Expr::binary(Binary::Equal, left, right)))
            }
            ("pthread_exit" | "thrd_exit", [value]) => {
                let value = self.value(*value)?;
                self.ask(Builtin::EndThread, vec![value], false);
                let next = self.location();
                self.flush(next, None);
                self.at = self.location();
                fine
            }
            ("__VERIFIER_atomic_begin", _) => {
                self.ask(Builtin::BeginAtomic, Vec::new(), false);
                fine
            }
            ("__VERIFIER_atomic_end", _) => {
                self.ask(Builtin::EndAtomic, Vec::new(), false);
                fine
            }
            _ => self.lock_call(name, arguments),
        }
    }

    fn lock_call(&mut self, name: &str, arguments: &[ExprId]) -> Lowered<Option<Expr>> {
        let plain = match name {
            "pthread_mutex_lock" | "mtx_lock" | "pthread_spin_lock" => Builtin::Lock,
            "pthread_mutex_unlock" | "mtx_unlock" | "pthread_spin_unlock" => Builtin::Unlock,
            "pthread_rwlock_rdlock" => Builtin::LockShared,
            "pthread_rwlock_wrlock" => Builtin::LockAlone,
            "pthread_rwlock_unlock" => Builtin::UnlockShared,
            "pthread_cond_wait" | "cnd_wait" => Builtin::Await,
            "pthread_cond_signal" | "cnd_signal" => Builtin::Signal,
            "pthread_cond_broadcast" | "cnd_broadcast" => Builtin::SignalAll,
            "sem_wait" => Builtin::CountDown,
            "sem_post" => Builtin::CountUp,
            "pthread_mutex_destroy" | "mtx_destroy" | "pthread_rwlock_destroy" | "pthread_spin_destroy" => {
                Builtin::DestroyLock
            }
            "pthread_cond_destroy" | "cnd_destroy" => Builtin::DestroySignal,
            _ => return self.other_lock_call(name, arguments),
        };
        let values = self.values(arguments)?;
        self.ask(plain, values, false);
        Ok(Some(Expr::Constant(0)))
    }

    fn other_lock_call(&mut self, name: &str, arguments: &[ExprId]) -> Lowered<Option<Expr>> {
        let fine = Ok(Some(Expr::Constant(0)));
        match (name, arguments) {
            (
                "pthread_mutex_trylock"
                | "mtx_trylock"
                | "pthread_spin_trylock"
                | "sem_trywait"
                | "pthread_rwlock_tryrdlock"
                | "pthread_rwlock_trywrlock",
                [lock],
            ) => {
                let which = match name {
                    "sem_trywait" => Builtin::TryCountDown,
                    "pthread_rwlock_tryrdlock" => Builtin::TryLockShared,
                    "pthread_rwlock_trywrlock" => Builtin::TryLockAlone,
                    _ => Builtin::TryLock,
                };
                let failed = match name {
                    "mtx_trylock" => 1,
                    "sem_trywait" => -1,
                    _ => BUSY,
                };
                let lock = self.value(*lock)?;
                let taken = self.ask(which, vec![lock], true).unwrap_or(Expr::Constant(0));
                let (zero, failed) = (Box::new(Expr::Constant(0)), Box::new(Expr::Constant(failed)));
                Ok(Some(Expr::Choose(Box::new(taken), zero, failed)))
            }
            ("pthread_mutex_init" | "mtx_init", [lock, kind]) => {
                let lock = self.value(*lock)?;
                let lock = self.keep(lock);
                let kind = self.value(*kind)?;
                self.access(true);
                self.put(lock.clone(), Expr::Constant(0));
                match (name, kind) {
                    ("mtx_init", kind) => {
                        let recursive = Expr::binary(Binary::And, kind, Expr::Constant(1));
                        self.put(moved(lock, 4), recursive);
                    }
                    (_, Expr::Constant(0)) => {}
                    (_, attributes) => {
                        let kind = Expr::Deref(INT, Box::new(attributes));
                        self.put(moved(lock, 4), kind);
                    }
                }
                fine
            }
            ("pthread_once" | "call_once", [mark, function]) => {
                self.once(*mark, *function)?;
                fine
            }
            ("pthread_barrier_init", [barrier, _, count]) => {
                let barrier = self.value(*barrier)?;
                let barrier = self.keep(barrier);
                let count = self.value(*count)?;
                self.access(true);
                self.put(barrier.clone(), Expr::Constant(0));
                self.put(moved(barrier, 4), count);
                fine
            }
            ("pthread_barrier_wait", [barrier]) => {
                let barrier = self.value(*barrier)?;
                Ok(self.ask(Builtin::Gather, vec![barrier], true))
            }
            ("pthread_mutexattr_init" | "pthread_spin_init" | "pthread_rwlock_init", [object, ..]) => {
                let object = self.value(*object)?;
                self.access(true);
                self.put(object, Expr::Constant(0));
                fine
            }
            ("pthread_mutexattr_settype", [attributes, kind]) => {
                let (attributes, kind) = (self.value(*attributes)?, self.value(*kind)?);
                self.access(true);
                self.put(attributes, kind);
                fine
            }
            ("sem_init", [semaphore, _, value]) => {
                let (semaphore, value) = (self.value(*semaphore)?, self.value(*value)?);
                self.access(true);
                self.put(semaphore, value);
                fine
            }
            ("sem_getvalue", [semaphore, to]) => {
                let (semaphore, to) = (self.value(*semaphore)?, self.value(*to)?);
                self.access(true);
                let value = self.keep(Expr::Deref(INT, Box::new(semaphore)));
                self.access(true);
                self.put(to, value);
                fine
            }
            _ => Ok(None),
        }
    }

    /// Calls a function unless that was done before, and waits for whoever is doing it.
    fn once(&mut self, mark: ExprId, function: ExprId) -> Lowered<()> {
        let (mark, pointer) = (self.value(mark)?, self.value(function)?);
        let (mark, pointer) = (self.keep(mark), self.keep(pointer));
        let first = self.ask(Builtin::BeginOnce, vec![mark.clone()], true).unwrap_or(Expr::Constant(0));
        let (does, end) = (self.location(), self.location());
        self.split(first, does, end);
        self.at = does;
        self.emit(Command::CallPointer { pointer, arguments: Vec::new(), result: None });
        self.cut();
        self.access(true);
        self.put(mark, Expr::Constant(2));
        self.flush(end, None);
        Ok(())
    }

    fn put(&mut self, address: Expr, value: Expr) {
        self.emit(Command::Store { address, scalar: INT, value });
    }

    /// Something others may wait for or see happens in an edge of its own.
    fn ask(&mut self, which: Builtin, arguments: Vec<Expr>, wanted: bool) -> Option<Expr> {
        if !self.commands.is_empty() {
            self.cut();
        }
        let result = wanted.then(|| self.temporary());
        self.access(true);
        self.emit(Command::Builtin { which, arguments, result: result.clone() });
        result.map(Expr::Load)
    }

    fn start_thread(&mut self, thread: ExprId, start: ExprId, argument: ExprId) -> Lowered<()> {
        let tree = self.lowering.tree;
        let target = tree.types.pointee(tree[thread].ty);
        let to = self.value(thread)?;
        let values = vec![self.value(start)?, self.value(argument)?];
        let number = self.ask(Builtin::StartThread, values, true).unwrap_or(Expr::Constant(0));
        // The new thread is not seen before its number is.
        let scalar = self.scalar_behind(target, tree[thread].span)?;
        self.emit(Command::Store { address: to, scalar, value: number });
        Ok(())
    }

    fn scalar_behind(&self, target: Option<TypeId>, span: source::Span) -> Lowered<Scalar> {
        match target {
            Some(target) if !matches!(self.type_of(target), Type::Record(_)) => {
                Ok(self.lowering.kind(target, span)?.scalar())
            }
            _ => self.lowering.refuse(span, "this sort of thread is not supported"),
        }
    }

    fn join_thread(&mut self, thread: ExprId, result: ExprId) -> Lowered<()> {
        let tree = self.lowering.tree;
        let thread = self.value(thread)?;
        let to = self.value(result)?;
        let to = self.keep(to);
        let value = self.ask(Builtin::JoinThread, vec![thread], true).unwrap_or(Expr::Constant(0));
        if to == Expr::Constant(0) {
            return Ok(());
        }
        let scalar = self.scalar_behind(tree.types.pointee(tree[result].ty), tree[result].span)?;
        let (some, end) = (self.location(), self.location());
        self.split(Expr::binary(Binary::NotEqual, to.clone(), Expr::Constant(0)), some, end);
        self.at = some;
        self.access(true);
        self.emit(Command::Store { address: to, scalar, value });
        self.flush(end, None);
        Ok(())
    }

    /// Whether a function runs without interruption, by its name.
    pub(super) fn is_atomic(&self, function: crate::tree::FunctionId) -> bool {
        let name = &*self.lowering.tree[function].name;
        self.lowering.threads && name.starts_with("__VERIFIER_atomic_")
    }

    /// A marker around the call of a function that runs without interruption.
    pub(super) fn mark_atomic(&mut self, begins: bool) {
        let which = if begins { Builtin::BeginAtomic } else { Builtin::EndAtomic };
        self.ask(which, Vec::new(), false);
    }
}
