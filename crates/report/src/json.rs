//! The report as JSON, for scripts.

use std::io;

use crate::Report;

pub fn render(report: &Report, out: &mut dyn io::Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, report)?;
    writeln!(out)
}
