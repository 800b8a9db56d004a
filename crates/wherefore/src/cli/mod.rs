//! The command line: flags, files, clocks, signals, standard output and exit codes. What is asked becomes a
//! [`languages::Question`]; no input language and no algorithm is known here. One table of flags ([`flags`]) feeds the
//! help texts, the man page and the completions.

mod allocation;
mod asking;
mod browser;
mod choices;
pub(crate) mod commands;
pub(crate) mod contrast;
pub(crate) mod contrast_flags;
pub(crate) mod diagnostics;
mod ending;
mod flag_values;
pub(crate) mod flags;
pub(crate) mod host;
pub(crate) mod input;
mod memory;
pub(crate) mod messages;
pub(crate) mod output;
pub(crate) mod pages;
pub(crate) mod session;
mod test_folder;
mod variation_files;
mod variation_flags;
mod watchdog;
pub(crate) mod written;

/// Exit codes, as the manual promises them.
pub(crate) mod exit {
    /// The property holds, or the command did its job.
    pub(crate) const FINE: u8 = 0;
    /// The property is violated.
    pub(crate) const VIOLATED: u8 = 1;
    /// Bad usage or bad input.
    pub(crate) const BAD_INPUT: u8 = 2;
    /// Undecided within the limits.
    pub(crate) const UNDECIDED: u8 = 3;

    pub(crate) fn of(verdict: findings::Verdict) -> u8 {
        match verdict {
            findings::Verdict::Holds => FINE,
            findings::Verdict::Violated => VIOLATED,
            findings::Verdict::Unknown => UNDECIDED,
        }
    }
}

/// Whether the reader of our output went away, as `head` does: no reason to complain.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<std::io::Error>())
        .any(|cause| cause.kind() == std::io::ErrorKind::BrokenPipe)
}
