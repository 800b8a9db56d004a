//! Where the machine cannot go on although the program could.

/// How many values of one input are tried.
pub(crate) const MOST_VALUES: u64 = 1 << 16;
/// How many ways a single step may have, if it takes several inputs: nobody can interrupt it.
pub(super) const MOST_WAYS: u64 = 1 << 20;
/// How deep calls may be nested.
pub(crate) const MOST_CALLS: u16 = 4096;
/// How many edges a step may have.
pub(super) const LONGEST_STEP: u32 = 1 << 16;
/// How large a state may get.
pub(super) const LARGEST_STATE: usize = 1 << 28;

/// Why there is no telling what comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stuck {
    Input,
    NoMoreInputs,
    Calls,
    Memory,
    Threads,
    /// Calls are looked at one at a time, and one would need the frame of another.
    Escapes,
    /// The program says that it cannot be told.
    Unknown(&'static str),
}

impl Stuck {
    pub(crate) fn reason(self) -> &'static str {
        match self {
            Self::Input => "an input had too many values to try them all",
            Self::NoMoreInputs => "the program asked for more inputs than were given",
            Self::Calls => "calls got nested too deeply",
            Self::Memory => "a state got too large",
            Self::Threads => "more threads were started than are supported",
            Self::Unknown(reason) => reason,
            Self::Escapes => "the address of a local variable leaves its function",
        }
    }
}
