//! Channels: bounded queues of messages, as they lie in a state.
//!
//! A channel is a frame of its own: how many messages it holds, then its slots. Slots beyond the last
//! message are all zero, so that equal contents are equal bytes.

use crate::Scalar;

/// The kind of a channel: how many messages it holds and what they are made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelType {
    pub capacity: u32,
    pub fields: Vec<Scalar>,
    offsets: Vec<u32>,
    message: u32,
}

impl ChannelType {
    pub fn new(capacity: u32, fields: Vec<Scalar>) -> Self {
        let mut message = 0;
        let mut offsets = Vec::with_capacity(fields.len());
        for field in &fields {
            offsets.push(message);
            message += field.bytes();
        }
        Self { capacity, fields, offsets, message }
    }

    /// The bytes of a channel of this kind. A rendezvous channel keeps nothing.
    pub fn size(&self) -> u32 {
        if self.capacity == 0 { 0 } else { 1 + self.capacity * self.message }
    }

    /// Where a field of the message in a slot lies.
    pub fn offset(&self, slot: u32, field: usize) -> u32 {
        1 + slot * self.message + self.offsets[field]
    }
}

/// A channel in a state.
#[derive(Debug)]
pub struct Channel<'a, B> {
    kind: &'a ChannelType,
    bytes: B,
}

impl<'a, B: AsRef<[u8]>> Channel<'a, B> {
    /// `bytes` starts where the channel starts.
    pub fn new(kind: &'a ChannelType, bytes: B) -> Self {
        Self { kind, bytes }
    }

    pub fn len(&self) -> u32 {
        if self.kind.capacity == 0 { 0 } else { u32::from(self.bytes.as_ref()[0]) }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn is_full(&self) -> bool {
        self.len() == self.kind.capacity
    }

    pub fn field(&self, slot: u32, field: usize) -> i64 {
        let start = self.kind.offset(slot, field) as usize;
        self.kind.fields[field].load(&self.bytes.as_ref()[start..])
    }

    /// The slot a message belongs into if the channel is to stay in order: behind all that are not
    /// greater. What counts is the message before it is cut to the types of its fields.
    pub fn slot_for(&self, message: &[i64]) -> u32 {
        let greater = |slot: u32| {
            let difference = (0..self.kind.fields.len())
                .map(|field| self.field(slot, field).cmp(&message[field]))
                .find(|order| order.is_ne());
            difference == Some(std::cmp::Ordering::Greater)
        };
        (0..self.len()).find(|slot| greater(*slot)).unwrap_or(self.len())
    }
}

impl<B: AsRef<[u8]> + AsMut<[u8]>> Channel<'_, B> {
    /// Puts a message into `slot`; the channel must not be full.
    pub fn insert(&mut self, slot: u32, message: &[i64]) {
        let size = self.kind.message as usize;
        let at = 1 + slot as usize * size;
        let end = 1 + self.len() as usize * size;
        let bytes = self.bytes.as_mut();
        bytes.copy_within(at..end, at + size);
        for (field, value) in message.iter().enumerate() {
            self.kind.fields[field].store(&mut bytes[at + self.kind.offsets[field] as usize..], *value);
        }
        bytes[0] += 1;
    }

    /// Takes the message out of `slot`.
    pub fn remove(&mut self, slot: u32) {
        let size = self.kind.message as usize;
        let at = 1 + slot as usize * size;
        let end = 1 + self.len() as usize * size;
        let bytes = self.bytes.as_mut();
        bytes.copy_within(at + size..end, at);
        bytes[end - size..end].fill(0);
        bytes[0] -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_move_up_and_leave_zeros() {
        let kind = ChannelType::new(3, vec![Scalar::U8, Scalar::I16]);
        let mut bytes = vec![0; kind.size() as usize];
        let mut channel = Channel::new(&kind, &mut bytes[..]);
        channel.insert(0, &[1, -2]);
        channel.insert(1, &[300, 7]);
        channel.insert(channel.len(), &[3, 9]);
        assert!(channel.is_full());
        assert_eq!((channel.field(1, 0), channel.field(1, 1)), (44, 7));
        channel.remove(1);
        assert_eq!((channel.len(), channel.field(1, 0), channel.field(0, 1)), (2, 3, -2));
        channel.remove(0);
        channel.remove(0);
        assert!(channel.is_empty());
        assert!(bytes.iter().all(|byte| *byte == 0));
    }

    #[test]
    fn sorted_messages_go_behind_their_equals() {
        let kind = ChannelType::new(4, vec![Scalar::U8, Scalar::U8]);
        let mut bytes = vec![0; kind.size() as usize];
        let mut channel = Channel::new(&kind, &mut bytes[..]);
        for message in [[5, 1], [2, 9], [5, 0], [2, 9]] {
            let slot = channel.slot_for(&message);
            channel.insert(slot, &message);
        }
        let found: Vec<[i64; 2]> =
            (0..4).map(|slot| [channel.field(slot, 0), channel.field(slot, 1)]).collect();
        assert_eq!(found, [[2, 9], [2, 9], [5, 0], [5, 1]]);
    }
}
