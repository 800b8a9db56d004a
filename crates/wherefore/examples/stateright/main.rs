//! Explains a model that was written for the model checker stateright.
//!
//! `cargo run -p wherefore --example stateright --features stateright`

#![allow(clippy::print_stdout, reason = "examples show what they do")]

mod shop;

use shop::{Shop, told};
use wherefore::stateright::Adapted;
use wherefore::{Detail, Explainer};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let shop = Shop { late: true };
    let system = Adapted::new(&shop)?.telling(told);
    for (name, kind) in system.left_out() {
        println!("not looked at: \"{name}\", which is of the kind `{kind}`");
    }
    let explanation = Explainer::new().explain(&system)?;
    println!("{}", explanation.to_text(Detail::Normal));
    Ok(())
}
