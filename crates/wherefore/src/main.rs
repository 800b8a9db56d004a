//! `wherefore` on the command line; everything interesting is in the library and in [`cli`].

mod cli;

use std::process::ExitCode;

use cli::flags::{Cli, Command};
use cli::host::Terminal;
use cli::messages::drawn;
use cli::{commands, exit};

fn main() -> ExitCode {
    // Clap exits by itself: 2 for bad usage, 0 after --help.
    let cli = Cli::of(std::env::args_os());
    Terminal::listen();
    let colour = cli.command.colours_messages();
    let done = match cli.command {
        Command::Explain(args) => commands::explain(&args),
        Command::Check(args) => commands::check(&args),
        Command::Replay(args) => commands::replay(&args),
        Command::Verify(args) => commands::verify(&args),
        Command::Contrast(args) => cli::contrast::contrast(&args),
        Command::Convert(args) => commands::convert(&args),
        Command::Reduce(args) => commands::reduce(&args),
        Command::Completions { shell } => cli::pages::completions(shell),
        Command::Man { folder } => cli::pages::man(folder.as_deref()),
    };
    match done {
        Ok(code) => ExitCode::from(code),
        Err(error) if cli::is_broken_pipe(&error) => ExitCode::from(exit::FINE),
        Err(error) => {
            drawn(&cli::diagnostics::error(&error, colour));
            ExitCode::from(exit::BAD_INPUT)
        }
    }
}
