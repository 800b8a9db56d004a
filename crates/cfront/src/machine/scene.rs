//! What lies where in a state.
//!
//! Header, globals, threads, heap. A thread is a header and its frames, an object on the heap a header and
//! its bytes; all of them begin at multiples of eight. Positions are found by walking over the state.

use std::ops::Range;

use model::{Fault, Program, StaticPlace};

use super::compile::{CompiledFunction, Machine};

/// In the header of a state.
pub(crate) const ENDED: usize = 0;
/// What lies there if it has not ended, but nobody can tell how it goes on.
pub(crate) const UNTOLD: u8 = 2;
pub(crate) const THREADS: usize = 1;
pub(crate) const HOLDER: usize = 2;
pub(crate) const INPUTS: usize = 4;

/// In the header of a thread.
pub(crate) const THREAD_HEADER: usize = 16;
pub(crate) const STATUS: usize = 0;
/// In how many atomic sequences it is.
pub(crate) const NESTED: usize = 1;
pub(crate) const DEPTH: usize = 2;
pub(crate) const VALUE: usize = 8;

/// The status of a thread.
pub(crate) const RUNS: u8 = 0;
pub(crate) const ENDS: u8 = 1;
/// It is over, and somebody took what it ended with.
pub(crate) const JOINED: u8 = 4;
pub(crate) const SLEEPS: u8 = 2;
pub(crate) const WOKEN: u8 = 3;

/// Whether a thread with this status does nothing more.
pub(crate) fn is_over(status: u8) -> bool {
    matches!(status, ENDS | JOINED)
}

/// In the header of a frame.
const FUNCTION: usize = 0;
const LOCATION: usize = 4;

/// In the header of an object on the heap.
pub(crate) const BLOCK_HEADER: usize = 16;
const NUMBER: usize = 0;
const SIZE: usize = 4;
const OWNER: usize = 8;

#[derive(Clone, Copy, Debug)]
pub(crate) struct ThreadAt {
    pub(crate) start: usize,
    /// The frame of the call that goes on; where the thread begins if there is none.
    pub(crate) top: usize,
    pub(crate) end: usize,
}

/// An object that came to life while the program ran.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ObjectAt {
    pub(crate) number: u32,
    pub(crate) start: usize,
    pub(crate) size: u32,
    pub(crate) on_heap: bool,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Scene {
    pub(crate) threads: Vec<ThreadAt>,
    /// In the order of their numbers.
    pub(crate) objects: Vec<ObjectAt>,
    pub(crate) heap: usize,
}

/// Where bytes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bytes {
    State(usize),
    Constant(usize),
}

pub(crate) fn read_u16(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

pub(crate) fn read_u32(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

pub(crate) fn write_u32(bytes: &mut [u8], at: usize, value: u32) {
    bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
}

pub(crate) fn function(bytes: &[u8], frame: usize) -> usize {
    usize::from(read_u16(bytes, frame + FUNCTION))
}

pub(crate) fn location(bytes: &[u8], frame: usize) -> u32 {
    read_u32(bytes, frame + LOCATION)
}

pub(crate) fn set_location(bytes: &mut [u8], frame: usize, location: u32) {
    write_u32(bytes, frame + LOCATION, location);
}

pub(crate) fn begin_frame(bytes: &mut [u8], frame: usize, function: usize, entry: u32) {
    bytes[frame + FUNCTION..frame + FUNCTION + 2].copy_from_slice(&(function as u16).to_le_bytes());
    set_location(bytes, frame, entry);
}

pub(crate) fn begin_block(bytes: &mut [u8], block: usize, number: u32, size: u32, owner: u32) {
    write_u32(bytes, block + NUMBER, number);
    write_u32(bytes, block + SIZE, size);
    write_u32(bytes, block + OWNER, owner);
}

pub(crate) fn block_owner(bytes: &[u8], block: usize) -> u32 {
    read_u32(bytes, block + OWNER)
}

/// The state before the first step, but for the numbers of objects in the first frame.
pub(super) fn initial(program: &Program, functions: &[CompiledFunction]) -> Vec<u8> {
    let mut bytes = vec![0; program.globals.start as usize];
    bytes[THREADS] = 1;
    bytes.extend_from_slice(&program.globals.initial);
    let thread = bytes.len();
    bytes.resize(thread + THREAD_HEADER, 0);
    bytes[thread + DEPTH] = 1;
    let frame = bytes.len();
    let entry = program.entry.0 as usize;
    let function = &functions[entry];
    bytes.resize(frame + function.size, 0);
    begin_frame(&mut bytes, frame, entry, function.entry);
    let first = program.globals.objects.len() as u32 + 1;
    for (object, number) in function.objects.iter().zip(first..) {
        write_u32(&mut bytes, frame + object.number as usize, number);
    }
    bytes
}

impl Scene {
    /// Finds everything in a state.
    pub(crate) fn find(&mut self, machine: &Machine, bytes: &[u8]) {
        self.threads.clear();
        self.objects.clear();
        let globals = &machine.program.globals;
        let mut at = globals.start as usize + globals.initial.len();
        for _ in 0..bytes[THREADS] {
            let start = at;
            let depth = read_u16(bytes, start + DEPTH);
            let mut top = start;
            at += THREAD_HEADER;
            for _ in 0..depth {
                top = at;
                let function = &machine.functions[function(bytes, at)];
                for object in &function.objects {
                    self.objects.push(ObjectAt {
                        number: read_u32(bytes, at + object.number as usize),
                        start: at + object.offset as usize,
                        size: object.size,
                        on_heap: false,
                    });
                }
                at += function.size;
            }
            self.threads.push(ThreadAt { start, top, end: at });
        }
        self.heap = at;
        while at < bytes.len() {
            let size = read_u32(bytes, at + SIZE);
            let number = read_u32(bytes, at + NUMBER);
            self.objects.push(ObjectAt { number, start: at + BLOCK_HEADER, size, on_heap: true });
            at += BLOCK_HEADER + (size as usize).next_multiple_of(8);
        }
        if !self.objects.is_sorted_by_key(|object| object.number) {
            self.objects.sort_unstable_by_key(|object| object.number);
        }
    }

    pub(crate) fn object(&self, number: u32) -> Option<&ObjectAt> {
        let at = self.objects.binary_search_by_key(&number, |object| object.number).ok()?;
        Some(&self.objects[at])
    }

    /// Where `size` bytes that a pointer points to are.
    #[inline]
    pub(crate) fn resolve(
        &self,
        program: &Program,
        pointer: i64,
        size: u32,
        writes: bool,
    ) -> Result<Bytes, Fault> {
        let (start, own, offset) = self.extent(program, pointer)?;
        if offset < 0 || offset + i64::from(size) > i64::from(own) {
            return Err(Fault::Outside { offset, size: own });
        }
        match start {
            Bytes::State(start) => Ok(Bytes::State(start + offset as usize)),
            Bytes::Constant(_) if writes => Err(Fault::ReadOnly),
            Bytes::Constant(start) => Ok(Bytes::Constant(start + offset as usize)),
        }
    }

    /// Where the object begins that a pointer points into, how large it is, and how far in that is.
    pub(crate) fn extent(&self, program: &Program, pointer: i64) -> Result<(Bytes, u32, i64), Fault> {
        let (number, offset) = program.pointers.split(pointer);
        if number == 0 {
            return Err(Fault::NullPointer);
        }
        if let Some(object) = program.globals.objects.get(number as usize - 1) {
            let start = match object.place {
                StaticPlace::Global(start) => Bytes::State(start as usize),
                StaticPlace::Constant(start) => Bytes::Constant(start as usize),
                StaticPlace::Function(_) => return Err(Fault::Outside { offset, size: 0 }),
            };
            return Ok((start, object.size, offset));
        }
        let object = self.object(number).ok_or(Fault::Dangling)?;
        Ok((Bytes::State(object.start), object.size, offset))
    }
}

/// Where the bytes are that say what lies where in a state.
pub(crate) fn laid_out_by(machine: &Machine, bytes: &[u8], scene: &Scene) -> Vec<Range<usize>> {
    let mut places = Vec::new();
    places.push(THREADS..THREADS + 1);
    for (thread, frames) in scene.threads.iter().zip(frames(machine, bytes, scene)) {
        places.push(thread.start + DEPTH..thread.start + DEPTH + 2);
        for (function, frame) in frames {
            places.push(frame + FUNCTION..frame + FUNCTION + 2);
            let numbers = machine.functions[function].objects.iter().map(|object| object.number as usize);
            places.extend(numbers.map(|number| frame + number..frame + number + 4));
        }
    }
    for object in scene.objects.iter().filter(|object| object.on_heap) {
        let block = object.start - BLOCK_HEADER;
        places.push(block + NUMBER..block + SIZE + 4);
    }
    places
}

/// The frames of every thread, outermost first: the function, and where the frame is.
pub(crate) fn frames(machine: &Machine, bytes: &[u8], scene: &Scene) -> Vec<Vec<(usize, usize)>> {
    let of = |thread: &ThreadAt| {
        let mut frames = Vec::new();
        let mut at = thread.start + THREAD_HEADER;
        while at < thread.end {
            let function = function(bytes, at);
            frames.push((function, at));
            at += machine.functions[function].size;
        }
        frames
    };
    scene.threads.iter().map(of).collect()
}
