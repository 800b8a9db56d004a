//! gcc is the judge of what a C program means: layouts, constants, types of expressions and their values
//! must be the same. This is also the test for a new version of the library behind the seam. Skipped, with
//! a line that says so, where there is no gcc.

mod constants;
mod evaluate;
mod expressions;
mod layouts;
mod macros;
mod random_expression;
mod system_headers;
