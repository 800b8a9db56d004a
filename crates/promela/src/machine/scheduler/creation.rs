//! Bringing processes and their channels to life.

use model::{Context, Fault};

use super::super::compiled::{Start, StartValue};
use super::super::frames::FRAME_HEADER;
use super::super::vector::{CHANNEL_TAG, CHANNELS, CONTROL, FrameStarts, NOBODY, PROCESSES};
use super::super::view::View;
use super::Scheduler;

/// The most processes, and the most channels, that can live at once.
const MOST: u32 = 255;

impl Scheduler<'_> {
    /// Adds a process, with its channels, and returns its pid.
    pub(super) fn create(&mut self, kind: usize, arguments: &[i64], priority: u32) -> Result<i64, Fault> {
        let pid = self.next_frames.processes.len();
        if pid as u32 >= MOST {
            return Err(Fault::TooManyProcesses(MOST));
        }
        let made = &self.machine.kinds[kind];
        let frame = self.next.len();
        self.next.resize(frame + made.size.max(FRAME_HEADER as usize), 0);
        self.next[frame] = kind as u8;
        self.next[frame + 3] = if self.machine.has_priorities { priority.min(255) as u8 } else { 0 };
        self.next_frames.processes.push(frame as u32);
        self.next[PROCESSES] = self.next_frames.processes.len() as u8;
        for ((offset, scalar), value) in made.parameters.iter().zip(arguments) {
            scalar.store(&mut self.next[frame + *offset as usize..], *value);
        }
        self.start(&made.starts, frame, pid)?;
        Ok(pid as i64)
    }

    /// What goes wrong while the model comes to life: there is no state then to start with.
    pub(crate) fn fault_at_start(&mut self) -> Option<Fault> {
        self.first_state().err()
    }

    /// Makes the first state.
    pub(super) fn first_state(&mut self) -> Result<(), Fault> {
        let machine = self.machine;
        self.next.clear();
        self.next.resize(machine.globals, 0);
        self.next[CONTROL] = NOBODY;
        self.next_frames = FrameStarts::default();
        self.start(&machine.starts, 0, 0)?;
        machine
            .active
            .iter()
            .try_for_each(|kind| self.create(*kind, &[], machine.kinds[*kind].priority).map(|_| ()))
    }

    /// Gives variables their first values; `frame` is 0 for globals.
    pub(super) fn start(&mut self, starts: &[Start], frame: usize, process: usize) -> Result<(), Fault> {
        for start in starts {
            let value = match &start.value {
                StartValue::Value(code) => {
                    let view = View {
                        machine: self.machine,
                        frames: &self.next_frames,
                        timeout: false,
                        room: &self.stepping,
                    };
                    let context = Context { bytes: &self.next, local: frame, process: process as u32 };
                    code.run(&context, &view)?
                }
                StartValue::Channel(kind) => {
                    if self.next_frames.channels.len() as u32 >= MOST {
                        return Err(Fault::TooManyChannels(MOST));
                    }
                    self.next_frames.channels.push(self.next.len() as u32);
                    self.next.push(CHANNEL_TAG + *kind as u8);
                    let size = self.machine.channels[*kind].size() as usize;
                    self.next.resize(self.next.len() + size, 0);
                    self.next[CHANNELS] = self.next_frames.channels.len() as u8;
                    self.next_frames.channels.len() as i64
                }
            };
            start.scalar.store(&mut self.next[frame + start.offset as usize..], value);
        }
        Ok(())
    }
}
