//! What programs ask of the machine: memory, and operations on runs of bytes.

use std::cmp::Ordering;

use model::{Builtin, Fault};

use super::halt::Halt;
use super::limits::Stuck;
use super::scene::Bytes;
use super::worker::CWorker;

impl CWorker<'_> {
    /// Does it with the arguments in `values`.
    pub(super) fn builtin(&mut self, thread: usize, which: Builtin) -> Result<i64, Halt> {
        let argument = |index: usize| self.values.get(index).copied().unwrap_or(0);
        let (first, second, third) = (argument(0), argument(1), argument(2));
        let size = third as u64;
        match which {
            Builtin::Allocate => self.allocate(first as u64, 0),
            Builtin::AllocateMany => {
                let size = (first as u64).checked_mul(second as u64);
                self.allocate(size.ok_or(Halt::Fault(Fault::TooLarge(u64::MAX)))?, 0)
            }
            Builtin::Reallocate => self.reallocate(first, second as u64),
            Builtin::AllocateInFrame => {
                let owner = self.owner(thread);
                self.allocate(first as u64, owner)
            }
            Builtin::Free => self.free(first).map(|()| 0),
            Builtin::CopyBytes => {
                let (to, from) = (self.run_of(first, size, true)?, self.run_of(second, size, false)?);
                self.copy(to, from, size as usize)?;
                Ok(first)
            }
            Builtin::FillBytes => {
                if let Bytes::State(at) = self.run_of(first, size, true)? {
                    self.next[at..at + size as usize].fill(second as u8);
                }
                Ok(first)
            }
            Builtin::CompareBytes => {
                let (left, right) = (self.run_of(first, size, false)?, self.run_of(second, size, false)?);
                let size = size as usize;
                Ok(order(self.bytes(left, size).cmp(self.bytes(right, size))))
            }
            Builtin::FindByte => {
                let at = self.run_of(first, size, false)?;
                let found = self.bytes(at, size as usize).iter().position(|byte| *byte == second as u8);
                Ok(found.map_or(0, |offset| first.wrapping_add(offset as i64)))
            }
            Builtin::TextLength => Ok(self.text(first)?.len() as i64),
            Builtin::TextCopy => self.put_text(first, second, u64::MAX),
            Builtin::TextCopyPadded => {
                let length = self.text_up_to(second, size)?.len();
                let to = self.run_of(first, size, true)?;
                let from = self.run_of(second, length as u64, false)?;
                self.copy(to, from, length)?;
                if let Bytes::State(at) = to {
                    self.next[at + length..at + size as usize].fill(0);
                }
                Ok(first)
            }
            Builtin::TextAppend => self.append(first, second, u64::MAX),
            Builtin::TextAppendSome => self.append(first, second, size),
            Builtin::TextCompare => Ok(order(self.text(first)?.cmp(self.text(second)?))),
            Builtin::TextCompareSome => {
                Ok(order(self.text_up_to(first, size)?.cmp(self.text_up_to(second, size)?)))
            }
            Builtin::TextFind | Builtin::TextFindLast => {
                let text = self.text(first)?;
                let is = |byte: &u8| *byte == second as u8;
                let found = match which {
                    _ if second as u8 == 0 => Some(text.len()),
                    Builtin::TextFind => text.iter().position(is),
                    _ => text.iter().rposition(is),
                };
                Ok(found.map_or(0, |offset| first.wrapping_add(offset as i64)))
            }
            Builtin::TextSearch => {
                let (text, wanted) = (self.text(first)?, self.text(second)?);
                let found = match wanted.len() {
                    0 => Some(0),
                    length => text.windows(length).position(|window| window == wanted),
                };
                Ok(found.map_or(0, |offset| first.wrapping_add(offset as i64)))
            }
            Builtin::GiveUp(reason) => Err(Halt::Stuck(Stuck::Unknown(reason))),
            _ => Ok(0),
        }
    }

    /// Where a run of bytes is; of no bytes, anywhere.
    fn run_of(&self, pointer: i64, size: u64, writes: bool) -> Result<Bytes, Halt> {
        if size == 0 {
            return Ok(Bytes::State(0));
        }
        let most = self.machine.program.pointers.largest_object();
        let size = u32::try_from(size.min(most + 1)).unwrap_or(u32::MAX);
        Ok(self.scene.resolve(&self.machine.program, pointer, size, writes)?)
    }

    /// The text a pointer points to, without the zero at its end.
    fn text(&self, pointer: i64) -> Result<&[u8], Halt> {
        let rest = self.rest(pointer)?;
        match rest.iter().position(|byte| *byte == 0) {
            Some(end) => Ok(&rest[..end]),
            None => Err(self.beyond(pointer, rest.len())),
        }
    }

    /// The same, of at most so many characters, which need no end.
    fn text_up_to(&self, pointer: i64, most: u64) -> Result<&[u8], Halt> {
        if most == 0 {
            return Ok(&[]);
        }
        let rest = self.rest(pointer)?;
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        match rest.iter().take(most).position(|byte| *byte == 0) {
            Some(end) => Ok(&rest[..end]),
            None if rest.len() >= most => Ok(&rest[..most]),
            None => Err(self.beyond(pointer, rest.len())),
        }
    }

    /// All bytes of the object from where the pointer points to.
    fn rest(&self, pointer: i64) -> Result<&[u8], Halt> {
        let (start, own, offset) = self.scene.extent(&self.machine.program, pointer)?;
        if offset < 0 || offset >= i64::from(own) {
            return Err(Halt::Fault(Fault::Outside { offset, size: own }));
        }
        Ok(&self.bytes(start, own as usize)[offset as usize..])
    }

    fn beyond(&self, pointer: i64, length: usize) -> Halt {
        let (_, offset) = self.machine.program.pointers.split(pointer);
        let end = offset + length as i64;
        Halt::Fault(Fault::Outside { offset: end, size: end as u32 })
    }

    /// Copies a text of at most so many characters, and ends it.
    fn put_text(&mut self, to: i64, from: i64, most: u64) -> Result<i64, Halt> {
        let length =
            if most == u64::MAX { self.text(from)?.len() } else { self.text_up_to(from, most)?.len() };
        let target = self.run_of(to, length as u64 + 1, true)?;
        if length > 0 {
            let source = self.run_of(from, length as u64, false)?;
            self.copy(target, source, length)?;
        }
        if let Bytes::State(at) = target {
            self.next[at + length] = 0;
        }
        Ok(to)
    }

    fn append(&mut self, to: i64, from: i64, most: u64) -> Result<i64, Halt> {
        let end = self.text(to)?.len() as i64;
        self.put_text(to.wrapping_add(end), from, most)?;
        Ok(to)
    }
}

fn order(ordering: Ordering) -> i64 {
    match ordering {
        Ordering::Less => -1,
        Ordering::Equal => 0,
        Ordering::Greater => 1,
    }
}
