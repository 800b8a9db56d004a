//! How often explanations are right.
//!
//! Faults are planted into models and programs that are right, so that it is known where they are. What violates its
//! property then is a case: it is explained, and what the explanation points to is compared with what was changed.
//! Half of the cases, by a fixed hash of their names, are looked at only with `--final`, so that a ranking that is
//! worked on with the other half can be judged by cases it was not made for.

#![allow(clippy::print_stdout, reason = "this is a command that prints tables")]

mod baselines;
mod bases;
mod cases;
mod diff;
mod examples;
mod gallery;
mod measure;
mod ranking;
mod table;
mod tool;
mod walks;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::{Parser, Subcommand};

use cases::Case;
use tool::Tool;

/// Measures explanations with faults whose place is known.
#[derive(Debug, Parser)]
#[command(name = "wherefore-evaluate")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Plant faults into correct examples and print how well they are found
    Mutants(MutantArgs),
    /// Explain every example with default options and print what is told first, and how long it takes
    Examples(ExampleArgs),
    /// Write HTML reports of selected examples into a folder, with a page that leads to them
    Gallery(GalleryArgs),
}

#[derive(Debug, clap::Args)]
struct GalleryArgs {
    /// The folder; it is made where it is missing
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// The tool; default: the one beside this program, which is built first
    #[arg(long, value_name = "FILE")]
    tool: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
struct ExampleArgs {
    /// How many seconds one example should take at most
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    limit: u64,
    /// Only take examples with this in their names, such as `brp` or `.c`
    #[arg(long, value_name = "NAME")]
    base: Vec<String>,
    /// The tool; default: the one beside this program, which is built first
    #[arg(long, value_name = "FILE")]
    tool: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
struct MutantArgs {
    /// Look at the half of the cases that is kept for the final figure, instead of the other
    #[arg(long = "final")]
    is_final: bool,
    /// Print a line for each case
    #[arg(long)]
    cases: bool,
    /// Print all that is known of these cases, by their names or a part of them
    #[arg(long, value_name = "NAME")]
    case: Vec<String>,
    /// Only list the cases
    #[arg(long)]
    list: bool,
    /// Only take examples with this in their names, such as `brp` or `.c`
    #[arg(long, value_name = "NAME")]
    base: Vec<String>,
    /// How many cases are made of one example
    #[arg(long, value_name = "N", default_value_t = 6)]
    per_base: usize,
    /// How many seconds one case may take
    #[arg(long, value_name = "SECONDS", default_value_t = 20)]
    limit: u64,
    /// How many cases are worked on at once
    #[arg(long, value_name = "N", default_value_t = 2)]
    jobs: usize,
    /// The methods to run, separated by commas; default: those the tool runs by itself
    #[arg(long, value_name = "LIST")]
    methods: Option<String>,
    /// Further options for the tool, for example --option=--repair
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    option: Vec<String>,
    /// The tool; default: the one beside this program, which is built first
    #[arg(long, value_name = "FILE")]
    tool: Option<PathBuf>,
    /// Write the report of each case into this folder
    #[arg(long, value_name = "FOLDER")]
    reports: Option<PathBuf>,
    /// Where cases are written and what is known of them is kept
    #[arg(long, value_name = "FOLDER", default_value = "target/evaluation")]
    folder: PathBuf,
}

fn main() -> Result<ExitCode> {
    let root = bases::workspace()?;
    match Cli::parse().command {
        Command::Mutants(args) => mutants(&args, &root).map(|()| ExitCode::SUCCESS),
        Command::Examples(args) => {
            let tool = Tool::new(args.tool.as_deref(), &root)?;
            let is_fine = examples::table(&root, &tool, args.limit, &args.base)?;
            Ok(if is_fine { ExitCode::SUCCESS } else { ExitCode::FAILURE })
        }
        Command::Gallery(args) => {
            let tool = Tool::new(args.tool.as_deref(), &root)?;
            gallery::gallery(&root, &tool, &std::path::absolute(args.folder)?)?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

fn mutants(args: &MutantArgs, root: &Path) -> Result<()> {
    let tool = Tool::new(args.tool.as_deref(), root)?;
    let folder = root.join(&args.folder);
    let mut bases = bases::bases(root)?;
    bases.retain(|base| args.base.is_empty() || args.base.iter().any(|part| base.file().contains(part)));
    let mut all = cases::cases(&bases, &tool, &folder, args.per_base, args.jobs)?;
    let count = |language: edits::Language| all.iter().filter(|case| case.language == language).count();
    println!(
        "{} cases of {} examples: {} in Promela, {} in C",
        all.len(),
        bases.len(),
        count(edits::Language::Promela),
        count(edits::Language::C)
    );
    if args.case.is_empty() {
        all.retain(|case| case.is_held_out() == args.is_final);
        println!(
            "{} of them are {}\n",
            all.len(),
            if args.is_final { "for the final figure" } else { "open" }
        );
    } else {
        let named = |case: &Case| args.case.iter().any(|part| case.name.contains(part));
        all.retain(named);
        if all.is_empty() {
            bail!("no case has such a name: --list shows them");
        }
    }
    if args.list {
        for case in &all {
            println!("{}  line {}: {}", case.name, case.line, case.what);
        }
        return Ok(());
    }
    if let Some(folder) = &args.reports {
        std::fs::create_dir_all(folder)?;
    }
    let plan = measure::Plan {
        limit: args.limit,
        methods: args.methods.as_deref(),
        options: &args.option,
        reports: args.reports.as_deref(),
    };
    let measured = measure::measure(&all, &tool, &plan, args.jobs);
    if !args.case.is_empty() {
        for (case, result) in all.iter().zip(&measured) {
            table::details(case, result);
        }
        return Ok(());
    }
    if args.cases {
        table::cases(&all, &measured);
    }
    table::summary(&all, &measured);
    Ok(())
}
