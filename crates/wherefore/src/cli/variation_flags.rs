//! The flags of the method "variations".

use std::path::PathBuf;

use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
pub(crate) struct VariationArgs {
    /// How many steps a variation may deviate from the counterexample, or a search from the trace of --near
    #[arg(long, value_name = "D", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..), help_heading = "Variations")]
    pub(crate) depth: u32,
    /// Look for violations only near this trace, which need not be a counterexample: a trail as for --trail, such
    /// as one that ends in a data race
    #[arg(long, value_name = "FILE", conflicts_with = "trail", help_heading = "Variations")]
    pub(crate) near: Option<PathBuf>,
    /// In which order to look for variations
    #[arg(long, value_enum, default_value_t = Walk::Bfs, help_heading = "Variations")]
    pub(crate) walk: Walk,
    /// What of steps is compared, separated by commas; default: location, choice and thread
    #[arg(long, value_enum, value_name = "LIST", value_delimiter = ',', help_heading = "Variations")]
    pub(crate) project: Vec<Part>,
    /// Where to look at values: lines or names of points, separated by commas; default: the points that the
    /// program names, or else joins of branches and ends of functions on the counterexample
    #[arg(long, value_name = "LIST", value_delimiter = ',', help_heading = "Variations")]
    pub(crate) points: Vec<String>,
    /// At which variables to look there: names separated by commas, `*` stands for anything; default: all
    #[arg(long, value_name = "PATTERN", value_delimiter = ',', help_heading = "Variations")]
    pub(crate) vars: Vec<String>,
    /// Write the values at the points for Daikon: .decls and .dtrace files of both kinds of variations
    #[arg(long, value_name = "FOLDER", help_heading = "Variations")]
    pub(crate) daikon: Option<PathBuf>,
    /// Write every failing variation into this folder; `replay --trail FOLDER` tells which still fail
    #[arg(long, value_name = "FOLDER", help_heading = "Variations")]
    pub(crate) save_negatives: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Walk {
    /// Breadth-first: small deviations first
    Bfs,
    /// Depth-first
    Dfs,
    /// Steps that the counterexample takes late come first
    Heuristic,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Part {
    /// Where the statement stands
    Location,
    /// What its process chose, or was given
    Choice,
    /// Which process takes the step
    Thread,
    /// What the statement says
    Action,
}

impl VariationArgs {
    /// Which options of the method are given. How far and near what a search goes is not for the method alone.
    pub(crate) fn given(&self) -> [(bool, &'static str); 6] {
        [
            (self.walk != Walk::Bfs, "--walk"),
            (!self.project.is_empty(), "--project"),
            (!self.points.is_empty(), "--points"),
            (!self.vars.is_empty(), "--vars"),
            (self.daikon.is_some(), "--daikon"),
            (self.save_negatives.is_some(), "--save-negatives"),
        ]
    }

    pub(crate) fn request(&self) -> pipeline::request::VariationRequest {
        let has = |part: Part| self.project.contains(&part);
        let project = if self.project.is_empty() {
            pipeline::request::Projection::default()
        } else {
            pipeline::request::Projection {
                location: has(Part::Location),
                choice: has(Part::Choice),
                thread: has(Part::Thread),
                action: has(Part::Action),
            }
        };
        pipeline::request::VariationRequest {
            depth: self.depth,
            order: match self.walk {
                Walk::Bfs => pipeline::request::VariationOrder::BreadthFirst,
                Walk::Dfs => pipeline::request::VariationOrder::DepthFirst,
                Walk::Heuristic => pipeline::request::VariationOrder::Heuristic,
            },
            project,
            keep_negatives: self.save_negatives.is_some(),
            points: pipeline::request::PointRequest {
                points: self.points.clone(),
                vars: self.vars.clone(),
                daikon: self.daikon.is_some(),
            },
        }
    }
}
