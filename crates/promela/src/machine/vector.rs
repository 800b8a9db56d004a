//! A state as bytes: a header, the globals, and then the frames of processes and channels in the order
//! in which they came to life.
//!
//! A process dies only when no younger process lives, and its channels die with it, so frames are only
//! ever taken away at the end. Where each frame starts is found by walking over them.

use model::ChannelType;

use super::compiled::CompiledProcess;

/// Nobody holds control: any process may move.
pub(crate) const NOBODY: u8 = u8::MAX;
/// Where in the header things are.
pub(crate) const CONTROL: usize = 0;
pub(crate) const PROCESSES: usize = 1;
pub(crate) const CHANNELS: usize = 2;
pub(crate) const LAST: usize = 3;

/// Where the frames of a state start.
#[derive(Clone, Debug, Default)]
pub(crate) struct FrameStarts {
    pub(crate) processes: Vec<u32>,
    pub(crate) channels: Vec<u32>,
}

/// Channel frames have their kind plus this as their first byte.
pub(crate) const CHANNEL_TAG: u8 = 128;

impl FrameStarts {
    /// Finds the frames of `state`.
    pub(crate) fn find(
        &mut self,
        state: &[u8],
        globals: usize,
        kinds: &[CompiledProcess],
        channels: &[ChannelType],
    ) {
        self.processes.clear();
        self.channels.clear();
        let mut at = globals;
        while at < state.len() {
            let tag = state[at];
            if tag >= CHANNEL_TAG {
                self.channels.push(at as u32);
                at += 1 + channels[(tag - CHANNEL_TAG) as usize].size() as usize;
            } else {
                self.processes.push(at as u32);
                at += kinds[tag as usize].size;
            }
        }
    }

    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.processes.clear();
        self.processes.extend_from_slice(&other.processes);
        self.channels.clear();
        self.channels.extend_from_slice(&other.channels);
    }
}

/// The location of the process whose frame starts at `frame`.
pub(crate) fn location(state: &[u8], frame: usize) -> usize {
    usize::from(u16::from_le_bytes([state[frame + 1], state[frame + 2]]))
}

pub(crate) fn set_location(state: &mut [u8], frame: usize, location: u32) {
    state[frame + 1..frame + 3].copy_from_slice(&(location as u16).to_le_bytes());
}

/// The priority of the process whose frame starts at `frame`.
pub(crate) fn priority(state: &[u8], frame: usize) -> u8 {
    state[frame + 3]
}
