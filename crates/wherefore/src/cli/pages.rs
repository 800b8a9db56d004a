//! Completions and manual pages, made from the table of flags.

use std::path::Path;

use anyhow::{Context, Result};
use clap::CommandFactory;

use super::flags::Cli;
use super::{exit, written};

const NAME: &str = "wherefore";

pub(crate) fn completions(shell: clap_complete::Shell) -> Result<u8> {
    written::create(Path::new("-"), |out| {
        clap_complete::generate(shell, &mut Cli::command(), NAME, &mut &mut *out);
        Ok(())
    })?;
    Ok(exit::FINE)
}

/// The page of the whole program to standard output, or all pages into a folder.
pub(crate) fn man(folder: Option<&Path>) -> Result<u8> {
    match folder {
        Some(folder) => {
            std::fs::create_dir_all(folder)
                .with_context(|| format!("{} cannot be made", folder.display()))?;
            clap_mangen::generate_to(Cli::command(), folder)
                .with_context(|| format!("the pages cannot be written to {}", folder.display()))?;
        }
        None => written::create(Path::new("-"), |out| {
            Ok(clap_mangen::Man::new(Cli::command()).render(&mut &mut *out)?)
        })?,
    }
    Ok(exit::FINE)
}
