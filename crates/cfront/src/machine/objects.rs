//! Objects that come to life and die while the program runs.

use model::Fault;

use super::halt::Halt;
use super::limits::{LARGEST_STATE, Stuck};
use super::scene::{self, BLOCK_HEADER, Bytes};
use super::worker::CWorker;
use crate::lower::FRAME;

impl CWorker<'_> {
    /// The next numbers that nobody has or points to.
    pub(super) fn free_numbers(&mut self, count: usize) -> Result<(), Halt> {
        let program = &self.machine.program;
        let first = program.globals.objects.len() as u32 + 1;
        let taken = &mut self.taken;
        taken.clear();
        let mut take = |number: u32| {
            if let Some(at) = number.checked_sub(first) {
                taken.push(at);
            }
        };
        for object in &self.scene.objects {
            take(object.number);
        }
        let width = program.pointers.scalar.bytes() as usize;
        let mut scan = |bytes: &[u8]| {
            for word in bytes.chunks_exact(width) {
                let (number, _) = program.pointers.split(program.pointers.scalar.load(word));
                // Most words are small numbers, which are no pointers.
                if number >= first {
                    take(number);
                }
            }
        };
        let globals = &program.globals;
        let start = globals.start as usize;
        scan(&self.next[start..start + globals.initial.len()]);
        for thread in &self.scene.threads {
            let mut frame = thread.start + scene::THREAD_HEADER;
            while frame < thread.end {
                let size = self.machine.functions[scene::function(&self.next, frame)].size;
                scan(&self.next[frame + FRAME as usize..frame + size]);
                frame += size;
            }
        }
        for object in self.scene.objects.iter().filter(|object| object.on_heap) {
            let size = (object.size as usize).next_multiple_of(8);
            scan(&self.next[object.start..object.start + size]);
        }
        taken.sort_unstable();
        taken.dedup();
        self.fresh.clear();
        let mut next = 0;
        let mut taken = self.taken.iter().copied().peekable();
        while self.fresh.len() < count {
            if taken.peek() == Some(&next) {
                taken.next();
            } else {
                self.fresh.push(first + next);
            }
            next += 1;
        }
        if first + next > program.pointers.most_objects() {
            return Err(Halt::Fault(Fault::TooManyObjects));
        }
        Ok(())
    }

    /// Makes room for `size` zero bytes at `at`.
    pub(super) fn make_room(&mut self, at: usize, size: usize) -> Result<(), Halt> {
        let end = self.next.len();
        if end + size > LARGEST_STATE {
            return Err(Halt::Stuck(Stuck::Memory));
        }
        self.next.resize(end + size, 0);
        self.next.copy_within(at..end, at + size);
        self.next[at..at + size].fill(0);
        Ok(())
    }

    /// Takes `size` bytes out.
    pub(super) fn take_out(&mut self, at: usize, size: usize) {
        let end = self.next.len();
        self.next.copy_within(at + size..end, at);
        self.next.truncate(end - size);
    }

    /// A new object on the heap; `owner` is the call it dies with, or 0.
    pub(super) fn allocate(&mut self, size: u64, owner: u32) -> Result<i64, Halt> {
        let pointers = self.machine.program.pointers;
        if size > pointers.largest_object() {
            return Err(Halt::Fault(Fault::TooLarge(size)));
        }
        self.free_numbers(1)?;
        let number = self.fresh[0];
        // Objects lie in the order of their numbers, so that states are the same whenever they can be.
        let after = self.scene.objects.iter().filter(|object| object.on_heap);
        let next = after.filter(|object| object.number > number).map(|object| object.start).min();
        let at = next.map_or(self.next.len(), |start| start - BLOCK_HEADER);
        self.make_room(at, BLOCK_HEADER + (size as usize).next_multiple_of(8))?;
        scene::begin_block(&mut self.next, at, number, size as u32, owner);
        self.scene.find(self.machine, &self.next);
        Ok(pointers.pointer(number, 0))
    }

    /// Ends an object on the heap.
    pub(super) fn free(&mut self, pointer: i64) -> Result<(), Halt> {
        if pointer == 0 {
            return Ok(());
        }
        let program = &self.machine.program;
        let (number, offset) = program.pointers.split(pointer);
        if number as usize <= program.globals.objects.len() {
            return Err(Halt::Fault(Fault::InvalidFree));
        }
        let object = *self.scene.object(number).ok_or(Halt::Fault(Fault::DoubleFree))?;
        if !object.on_heap || offset != 0 {
            return Err(Halt::Fault(Fault::InvalidFree));
        }
        self.remove_block(object.start, object.size);
        Ok(())
    }

    pub(super) fn remove_block(&mut self, start: usize, size: u32) {
        self.take_out(start - BLOCK_HEADER, BLOCK_HEADER + (size as usize).next_multiple_of(8));
        self.scene.find(self.machine, &self.next);
    }

    pub(super) fn reallocate(&mut self, pointer: i64, size: u64) -> Result<i64, Halt> {
        let new = self.allocate(size, 0)?;
        if pointer != 0 {
            let program = &self.machine.program;
            let (start, own, offset) = self.scene.extent(program, pointer)?;
            if offset != 0 {
                return Err(Halt::Fault(Fault::InvalidFree));
            }
            let (Bytes::State(from), (Bytes::State(to), ..)) = (start, self.scene.extent(program, new)?)
            else {
                return Err(Halt::Fault(Fault::InvalidFree));
            };
            let kept = (own as usize).min(size as usize);
            self.next.copy_within(from..from + kept, to);
            self.free(pointer)?;
        }
        Ok(new)
    }
}
