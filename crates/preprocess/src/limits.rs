//! How much a text may ask for. A few lines of macros can describe more output than there are atoms,
//! so every quantity that the text controls has a bound, and crossing it is an error with a place.

/// The bounds of one run. The defaults are far beyond what people write.
#[derive(Clone, Debug)]
pub struct Limits {
    /// How deep `#include` may nest (gcc: 200).
    pub include_depth: usize,
    /// How deep invocations may stand in each other's arguments.
    pub argument_depth: usize,
    /// How many expansions may be open at a time, each begun by the last.
    pub expansion_depth: usize,
    /// How deep the expression of an `#if` may nest.
    pub expression_depth: usize,
    /// Bytes of output.
    pub output_bytes: usize,
    /// Bytes of input, included files counted every time.
    pub input_bytes: usize,
    /// Tokens that expansion may handle; this bounds both time and memory.
    pub macro_tokens: usize,
    /// Bytes of one token made by `#` or `##`.
    pub token_bytes: usize,
    /// Errors after which the rest of the text is not looked at.
    pub errors: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            include_depth: 200,
            argument_depth: 256,
            expansion_depth: 1 << 16,
            expression_depth: 256,
            output_bytes: 64 << 20,
            input_bytes: 256 << 20,
            macro_tokens: 1 << 23,
            token_bytes: 1 << 20,
            errors: 100,
        }
    }
}
