//! What edges do.
//!
//! Everything a command computes is an [`Expr`] without effects, so commands are all there is to look at for
//! whoever wants to know what a program writes. Memory behind pointers is read by [`Expr::Deref`] inside of
//! expressions, because operands that are not evaluated must not be read, and written by
//! [`Command::Store`].

use crate::{Expr, FunctionId, Place, Scalar};

#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    Set(Place, Expr),
    /// Writes through a pointer.
    Store {
        address: Expr,
        scalar: Scalar,
        value: Expr,
    },
    /// Copies bytes; the two do not overlap, or are the same.
    Copy {
        to: Region,
        from: Region,
        size: u32,
    },
    /// Makes bytes 0.
    Clear {
        at: Region,
        size: u32,
    },
    /// Says that memory which other threads see is about to be read or written, so that accesses of which
    /// nothing says who comes first can be found.
    Touch {
        at: Region,
        size: Expr,
        writes: bool,
        /// Whether this is allowed at the same time as others that say so.
        atomic: bool,
    },
    /// Passes only if the value is not 0.
    Assume(Expr),
    /// Violated if the value is 0.
    Assert(Expr),
    /// Violated whenever it is reached.
    Fail(Failure),
    /// Any value of the place's type from the one to the other, or any at all.
    Nondet {
        place: Place,
        range: Option<(Expr, Expr)>,
    },
    Call {
        function: FunctionId,
        arguments: Vec<Argument>,
        result: Option<Place>,
    },
    CallPointer {
        pointer: Expr,
        arguments: Vec<Argument>,
        result: Option<Place>,
    },
    Return(Option<Argument>),
    /// The program ends.
    Exit,
    Builtin {
        which: Builtin,
        arguments: Vec<Expr>,
        result: Option<Place>,
    },
}

impl Command {
    /// Whether the function is left with it, for good or for a call.
    pub fn leaves(&self) -> bool {
        matches!(
            self,
            Self::Call { .. } | Self::CallPointer { .. } | Self::Return(_) | Self::Exit | Self::Fail(_)
        )
    }
}

/// A piece of memory.
#[derive(Clone, Debug, PartialEq)]
pub enum Region {
    /// The scalar of the place does not matter.
    Place(Place),
    /// What a pointer points to.
    Address(Expr),
}

/// What is handed to a function or back from it.
#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    Value(Expr),
    Block(Region, u32),
}

/// What is wrong with getting somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Failure {
    Assertion,
    /// A function that stands for an error was called.
    Error,
    /// The program says that control does not get here.
    Unreachable,
}

/// What a program asks of the machine it runs on. Sizes are in bytes, addresses are pointers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Builtin {
    /// (size) to a new object.
    Allocate,
    /// (count, size) to a new object.
    AllocateMany,
    /// (pointer, size) to an object with what the other one held.
    Reallocate,
    /// (size) to an object that lives as long as the call it is made in.
    AllocateInFrame,
    /// (pointer)
    Free,
    /// (to, from, size) to `to`.
    CopyBytes,
    /// (to, value, size) to `to`.
    FillBytes,
    /// (left, right, size) to a number below, at or above 0.
    CompareBytes,
    /// (in, value, size) to a pointer or 0.
    FindByte,
    /// (text)
    TextLength,
    /// (to, from) to `to`.
    TextCopy,
    /// (to, from, size) to `to`, filled up with zeros.
    TextCopyPadded,
    /// (to, from) to `to`.
    TextAppend,
    /// (to, from, most) to `to`.
    TextAppendSome,
    /// (left, right) to a number below, at or above 0.
    TextCompare,
    /// (left, right, most) to the same.
    TextCompareSome,
    /// (in, character) to a pointer or 0.
    TextFind,
    /// (in, character) to a pointer or 0.
    TextFindLast,
    /// (in, text) to a pointer or 0.
    TextSearch,
    /// (function, argument) to the number of a new thread.
    StartThread,
    /// (thread) to what it ended with; waits until it ends.
    JoinThread,
    /// The number of the thread that asks.
    CurrentThread,
    /// (value)
    EndThread,
    /// Until [`Builtin::EndAtomic`], no other thread moves unless this one has to wait.
    BeginAtomic,
    EndAtomic,
    /// (lock); waits until it is free. A lock is 0 while it is free. The number behind it says whether its
    /// owner may lock it again.
    Lock,
    /// (lock) to 1 if it was taken.
    TryLock,
    /// (lock)
    Unlock,
    /// (lock); waits until nobody writes.
    LockShared,
    /// (lock); waits until nobody reads or writes.
    LockAlone,
    /// (lock)
    UnlockShared,
    /// (lock) to 1 if it was taken.
    TryLockShared,
    /// (lock) to 1 if it was taken.
    TryLockAlone,
    /// (mark) to 1 if whoever asks is the first and has to do what is to be done once; waits for the first
    /// to finish it. The mark is 0 at first, 1 meanwhile, and 2 afterwards.
    BeginOnce,
    /// (barrier) to -1 for the last and 0 for all others; waits until as many have come as the number
    /// behind the barrier says.
    Gather,
    /// (signal, lock); lets go of the lock, waits for the signal, and takes the lock again.
    Await,
    /// (signal); wakes one of those who wait for it.
    Signal,
    /// (signal); wakes all.
    SignalAll,
    /// (counter); waits until it is not 0, and takes 1 from it.
    CountDown,
    /// (counter) to 1 if it could.
    TryCountDown,
    /// (counter)
    CountUp,
    /// (lock) that is destroyed: nobody may have it.
    DestroyLock,
    /// (signal) that is destroyed: nobody may wait for it.
    DestroySignal,
    /// How the program goes on from here is not known, and why.
    GiveUp(&'static str),
}

impl Builtin {
    /// Whether a thread may have to wait for others in it.
    pub fn can_wait(self) -> bool {
        matches!(
            self,
            Self::JoinThread
                | Self::Lock
                | Self::LockShared
                | Self::LockAlone
                | Self::BeginOnce
                | Self::Gather
                | Self::Await
                | Self::CountDown
        )
    }
}
