//! Which labels are silent.

use graph::Labels;

/// The silent label. Tools disagree on its name: `i` in CADP, `tau` in mCRL2; by default both are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Tau {
    /// `i` and `tau`.
    #[default]
    Usual,
    /// Only this label.
    Named(String),
}

impl Tau {
    pub fn is_silent(&self, label: &str) -> bool {
        match self {
            Self::Usual => matches!(label, "i" | "tau"),
            Self::Named(name) => name == label,
        }
    }

    /// For every label, whether it is silent.
    pub fn silent(&self, labels: &Labels) -> Vec<bool> {
        labels.iter().map(|label| self.is_silent(label)).collect()
    }
}
