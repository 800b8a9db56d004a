use thiserror::Error;

/// What can go wrong while a statement runs. A fault is a violation like a failed assertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
pub enum Fault {
    #[error("index {index} is outside the array of {length}")]
    Index { index: i64, length: u32 },
    #[error("division by zero")]
    DivisionByZero,
    #[error("the channel was never initialised")]
    NoChannel,
    #[error("no process {0}")]
    NoProcess(i64),
    #[error("more than {0} processes")]
    TooManyProcesses(u32),
    #[error("more than {0} channels")]
    TooManyChannels(u32),
    #[error("a statement inside a sequence that must not block cannot be executed")]
    BlockedInStep,
    #[error("a rendezvous is offered inside a sequence that must not be interrupted")]
    RendezvousInStep,
    #[error("the trace assertion does not expect this message")]
    UnexpectedMessage,
    #[error("the messages so far are those that the notrace assertion forbids")]
    ForbiddenMessages,
    #[error("the trace assertion can go on in two ways with this message")]
    AmbiguousTrace,
    #[error("enabled() asks about itself")]
    EndlessQuestion,
    #[error("the priority {0} is not one of 1 to 255")]
    Priority(i64),
    #[error("{given} parts of a message, but the channel holds {held}")]
    MessageParts { given: u32, held: u32 },
    #[error("a sequence that must not be interrupted does not end")]
    EndlessStep,
    #[error("a null pointer is followed")]
    NullPointer,
    #[error("a pointer to an object that no longer exists is followed")]
    Dangling,
    #[error("byte {offset} of an object of {size} bytes")]
    Outside { offset: i64, size: u32 },
    #[error("what must not be written is written")]
    ReadOnly,
    #[error("what is called is no function")]
    NotAFunction,
    #[error("a function is called with other arguments than it has parameters")]
    Signature,
    #[error("what is freed was freed before")]
    DoubleFree,
    #[error("what is freed was not allocated, or not from here on")]
    InvalidFree,
    #[error("more objects than pointers can tell apart")]
    TooManyObjects,
    #[error("an object of {0} bytes")]
    TooLarge(u64),
    #[error("more than {0} calls inside each other")]
    TooDeep(u32),
    #[error("the result does not fit its type")]
    SignedOverflow,
    #[error("control gets where the program says it does not")]
    Unreachable,
    #[error("two threads access the same memory at once, and one of them writes")]
    DataRace,
    #[error("a rendezvous channel never holds a message that could be looked at")]
    PollRendezvous,
    #[error("who gives the lock back does not have it")]
    NotHeld,
    #[error("what is destroyed is in use")]
    InUse,
    #[error("a thread that was joined before is joined again")]
    JoinedAgain,
    #[error("a variable is read that was never given a value")]
    Unwritten,
    #[error("what is copied and where it is copied to overlap")]
    Overlap,
}

/// What faults are called, whatever they say besides; a fault is known by its place here.
const KINDS: [&str; 35] = [
    "array index out of bounds",
    "division by zero",
    "use of a channel that was never initialised",
    "reference to a process that does not exist",
    "too many processes",
    "too many channels",
    "block inside a sequence that must not block",
    "message that the trace assertion does not expect",
    "messages that the notrace assertion forbids",
    "message with which the trace assertion can go on in two ways",
    "enabled() that asks about itself",
    "priority outside 1 to 255",
    "message of another length than those of its channel",
    "sequence that must not be interrupted and does not end",
    "use of a null pointer",
    "use of a dangling pointer",
    "access outside of an object",
    "write to a constant object",
    "call of what is no function",
    "call of a function with the wrong arguments",
    "double free",
    "free of what was not allocated",
    "too many objects",
    "object that is too large",
    "calls nested too deeply",
    "signed overflow",
    "reach of what is said to be unreachable",
    "data race",
    "rendezvous inside a sequence that must not be interrupted",
    "poll of a rendezvous channel",
    "release of a lock that is not held",
    "destruction of what is in use",
    "second join of a thread",
    "use of a variable without a value",
    "copy to what overlaps",
];

impl Fault {
    /// The number of its kind, from 1 on: faults of one kind at one place are one violation.
    pub fn kind(self) -> u32 {
        match self {
            Self::Index { .. } => 1,
            Self::DivisionByZero => 2,
            Self::NoChannel => 3,
            Self::NoProcess(_) => 4,
            Self::TooManyProcesses(_) => 5,
            Self::TooManyChannels(_) => 6,
            Self::BlockedInStep => 7,
            Self::UnexpectedMessage => 8,
            Self::ForbiddenMessages => 9,
            Self::AmbiguousTrace => 10,
            Self::EndlessQuestion => 11,
            Self::Priority(_) => 12,
            Self::MessageParts { .. } => 13,
            Self::EndlessStep => 14,
            Self::NullPointer => 15,
            Self::Dangling => 16,
            Self::Outside { .. } => 17,
            Self::ReadOnly => 18,
            Self::NotAFunction => 19,
            Self::Signature => 20,
            Self::DoubleFree => 21,
            Self::InvalidFree => 22,
            Self::TooManyObjects => 23,
            Self::TooLarge(_) => 24,
            Self::TooDeep(_) => 25,
            Self::SignedOverflow => 26,
            Self::Unreachable => 27,
            Self::DataRace => 28,
            Self::RendezvousInStep => 29,
            Self::PollRendezvous => 30,
            Self::NotHeld => 31,
            Self::InUse => 32,
            Self::JoinedAgain => 33,
            Self::Unwritten => 34,
            Self::Overlap => 35,
        }
    }

    /// Whether faults of this kind use memory that is not there.
    pub fn is_bad_access(kind: u32) -> bool {
        matches!(kind, 1 | 15 | 16 | 17)
    }

    /// What faults of this kind are called.
    pub fn kind_name(kind: u32) -> Option<&'static str> {
        KINDS.get(kind.checked_sub(1)? as usize).copied()
    }
}
