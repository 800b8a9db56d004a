//! A state taken apart: its frames, and which variable each channel was made for.
//!
//! Channels are made when their frame is: those of the globals first, those of a process right behind
//! it. So the order of the frames tells whose a channel is.

use model::{Channel, ChannelType};

use super::super::vector::{CHANNEL_TAG, FrameStarts};
use super::Teller;
use super::parts::{Part, Table};
use crate::resolve::{MtypeId, Type};

#[derive(Debug)]
pub(super) struct StateParts {
    pub(super) frames: FrameStarts,
    /// By channel.
    pub(super) owners: Vec<Owner>,
}

/// The variable a channel was made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Owner {
    /// Nothing for globals.
    pub(super) process: Option<usize>,
    /// From the start of its frame.
    pub(super) offset: u32,
}

impl StateParts {
    pub(super) fn new(teller: &Teller<'_>, state: &[u8]) -> Self {
        let machine = teller.machine;
        let mut frames = FrameStarts::default();
        frames.find(state, machine.globals, &machine.kinds, &machine.channels);
        let mut owners = Vec::with_capacity(frames.channels.len());
        let mut process = None;
        let mut waiting = frames.processes.iter().enumerate().peekable();
        let mut number = 0;
        for channel in &frames.channels {
            while let Some((next, _)) = waiting.next_if(|(_, frame)| *frame < channel) {
                process = Some(next);
                number = 0;
            }
            let table = match process {
                None => &teller.globals,
                Some(process) => teller.table(state, frames.processes[process] as usize),
            };
            let offset = table.channels.get(number).copied().unwrap_or_default();
            owners.push(Owner { process, offset });
            number += 1;
        }
        Self { frames, owners }
    }

    /// Where the frame of a process starts, or that of the globals.
    pub(super) fn start(&self, process: Option<usize>) -> usize {
        process.map_or(0, |process| self.frames.processes[process] as usize)
    }

    /// The channel with this number, as variables hold it.
    pub(super) fn channel(&self, value: i64) -> Option<usize> {
        let channel = usize::try_from(value.checked_sub(1)?).ok()?;
        (channel < self.frames.channels.len()).then_some(channel)
    }

    /// The channel that was made for a variable.
    pub(super) fn made_for(&self, owner: Owner) -> Option<usize> {
        self.owners.iter().position(|known| *known == owner)
    }
}

impl<'m> Teller<'m> {
    /// What lies in the frame that starts there.
    pub(super) fn table(&self, state: &[u8], frame: usize) -> &Table<'m> {
        &self.locals[usize::from(state[frame])]
    }

    /// What lies in the frame of a process, or in that of the globals.
    pub(super) fn table_of(&self, look: &StateParts, state: &[u8], process: Option<usize>) -> &Table<'m> {
        match process {
            None => &self.globals,
            Some(process) => self.table(state, look.frames.processes[process] as usize),
        }
    }

    /// `phil:2`; `init:0` where SPIN has more colons.
    pub(super) fn process_name(&self, look: &StateParts, state: &[u8], process: usize) -> String {
        let kind = self.kind_name(state, look.frames.processes[process] as usize);
        format!("{}:{process}", kind.trim_matches(':'))
    }

    pub(super) fn channel_type(&self, look: &StateParts, state: &[u8], channel: usize) -> &'m ChannelType {
        &self.machine.channels[usize::from(state[look.frames.channels[channel] as usize] - CHANNEL_TAG)]
    }

    fn owner_part(&self, look: &StateParts, state: &[u8], channel: usize) -> Option<Part<'m>> {
        let Owner { process, offset } = look.owners[channel];
        self.table_of(look, state, process).find(self.program, &self.frames, offset)
    }

    /// The name of a channel: that of the variable it was made for, and of its process if `reader` is
    /// another one.
    pub(super) fn channel_name(
        &self,
        look: &StateParts,
        state: &[u8],
        channel: usize,
        reader: Option<usize>,
    ) -> String {
        let name = self.owner_part(look, state, channel).map_or_else(String::new, |part| part.name);
        match look.owners[channel].process {
            Some(owner) if reader != Some(owner) => {
                format!("{name} of {}", self.process_name(look, state, owner))
            }
            _ => name,
        }
    }

    /// What a variable that holds `value` refers to.
    pub(super) fn reference_text(
        &self,
        look: &StateParts,
        state: &[u8],
        value: i64,
        reader: Option<usize>,
    ) -> String {
        match (value, look.channel(value)) {
            (0, _) => "none".to_owned(),
            (_, Some(channel)) => self.channel_name(look, state, channel, reader),
            (_, None) => "gone".to_owned(),
        }
    }

    /// A message: `<1, ack>`. Fields that are compared with constants of an mtype, by `compared`, show
    /// such constants even if they are declared as numbers, which is how old models do it.
    pub(super) fn message_text(
        &self,
        look: &StateParts,
        state: &[u8],
        channel: usize,
        compared: &[Option<MtypeId>],
        message: impl Iterator<Item = i64>,
    ) -> String {
        let owner = self.owner_part(look, state, channel);
        let kinds = owner.and_then(|part| part.channel).map_or(&[][..], |channel| &channel.fields);
        let field = |(number, value): (usize, i64)| {
            let other = compared.get(number).copied().flatten().map(Type::Mtype);
            match (kinds.get(number), other) {
                (Some(Type::Chan), _) => self.reference_text(look, state, value, None),
                (Some(Type::Byte), Some(other)) => self.plain_text(other, value),
                (Some(kind), _) => self.plain_text(*kind, value),
                (None, _) => value.to_string(),
            }
        };
        let fields: Vec<String> = message.enumerate().map(field).collect();
        format!("<{}>", fields.join(", "))
    }

    /// One of the messages in a channel.
    pub(super) fn slot_text(
        &self,
        look: &StateParts,
        state: &[u8],
        channel: usize,
        compared: &[Option<MtypeId>],
        slot: u32,
    ) -> String {
        let kind = self.channel_type(look, state, channel);
        let held = self.held(look, state, channel);
        let fields = (0..kind.fields.len()).map(|field| held.field(slot, field));
        self.message_text(look, state, channel, compared, fields)
    }

    /// What a channel holds: `[<1, ack>, <2, nak>]`.
    pub(super) fn contents_text(
        &self,
        look: &StateParts,
        state: &[u8],
        channel: usize,
        compared: &[Option<MtypeId>],
    ) -> String {
        let slots = 0..self.held(look, state, channel).len();
        let messages: Vec<String> =
            slots.map(|slot| self.slot_text(look, state, channel, compared, slot)).collect();
        format!("[{}]", messages.join(", "))
    }

    pub(super) fn held<'s>(
        &self,
        look: &StateParts,
        state: &'s [u8],
        channel: usize,
    ) -> Channel<'m, &'s [u8]> {
        let kind = self.channel_type(look, state, channel);
        Channel::new(kind, &state[look.frames.channels[channel] as usize + 1..])
    }
}
