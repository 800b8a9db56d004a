//! Calls and returns.

use model::{Fault, ParameterKind, Primitive, Scalar, StaticPlace};

use super::compile::{Act, Handed};
use super::halt::Halt;
use super::limits::{MOST_CALLS, Stuck};
use super::scene::{self, Bytes, DEPTH, ENDED, STATUS, VALUE};
use super::worker::CWorker;

impl CWorker<'_> {
    /// The function a pointer points to.
    pub(super) fn function_at(&self, pointer: i64) -> Result<usize, Fault> {
        let program = &self.machine.program;
        match program.pointers.split(pointer) {
            (0, _) => Err(Fault::NullPointer),
            (number, 0) => {
                match program.globals.objects.get(number as usize - 1).map(|object| object.place) {
                    Some(StaticPlace::Function(function)) => Ok(function.0 as usize),
                    _ => Err(Fault::NotAFunction),
                }
            }
            _ => Err(Fault::NotAFunction),
        }
    }

    /// Evaluates what is handed over; blocks lie one after the other in `blocks`.
    pub(super) fn evaluate(&mut self, handed: &[Handed]) -> Result<(), Halt> {
        self.values.clear();
        self.blocks.clear();
        for handed in handed {
            match handed {
                Handed::Value(code) => {
                    let value = self.value(code)?;
                    self.values.push(value);
                }
                Handed::Block(area, size) => {
                    let at = self.area(area, *size, false)?;
                    let start = self.blocks.len();
                    let mut blocks = std::mem::take(&mut self.blocks);
                    blocks.extend_from_slice(self.bytes(at, *size as usize));
                    self.blocks = blocks;
                    self.values.push(start as i64);
                }
            }
        }
        Ok(())
    }

    /// Begins a call with the values that were evaluated.
    pub(super) fn begin_call(&mut self, thread: usize, called: usize) -> Result<(), Halt> {
        let machine = self.machine;
        let function = &machine.functions[called];
        let at = self.scene.threads[thread];
        let depth = scene::read_u16(&self.next, at.start + DEPTH);
        if depth >= MOST_CALLS {
            return Err(Halt::Stuck(Stuck::Calls));
        }
        if !function.objects.is_empty() {
            self.free_numbers(function.objects.len())?;
        }
        let frame = at.end;
        self.make_room(frame, function.size)?;
        scene::begin_frame(&mut self.next, frame, called, function.entry);
        for (object, number) in function.objects.iter().zip(&self.fresh) {
            scene::write_u32(&mut self.next, frame + object.number as usize, *number);
        }
        for (parameter, value) in function.parameters.iter().zip(&self.values) {
            let to = frame + parameter.offset as usize;
            match parameter.kind {
                ParameterKind::Value(scalar) => scalar.store(&mut self.next[to..], *value),
                ParameterKind::Single => {
                    let bits = Primitive::ToSingleBits.apply(*value, 0)?;
                    Scalar::unsigned(32).store(&mut self.next[to..], bits);
                }
                ParameterKind::Block(size) => {
                    let from = *value as usize;
                    if let Some(block) = self.blocks.get(from..from + size as usize) {
                        self.next[to..to + size as usize].copy_from_slice(block);
                    }
                }
            }
        }
        self.next[at.start + DEPTH..at.start + DEPTH + 2].copy_from_slice(&(depth + 1).to_le_bytes());
        self.scene.find(machine, &self.next);
        Ok(())
    }

    /// Ends the call that goes on; the caller goes on behind it.
    pub(super) fn end_call(&mut self, thread: usize, result: Option<&Handed>) -> Result<(), Halt> {
        self.evaluate(result.map_or(&[], std::slice::from_ref))?;
        if self.alone {
            return self.exit(matches!(result, Some(Handed::Block(..))));
        }
        let machine = self.machine;
        let at = self.scene.threads[thread];
        let depth = scene::read_u16(&self.next, at.start + DEPTH);
        let owner = self.owner(thread);
        self.take_out(at.top, at.end - at.top);
        self.next[at.start + DEPTH..at.start + DEPTH + 2].copy_from_slice(&(depth - 1).to_le_bytes());
        self.scene.find(machine, &self.next);
        while let Some(object) = self.scene.objects.iter().find(|object| {
            object.on_heap && scene::block_owner(&self.next, object.start - scene::BLOCK_HEADER) == owner
        }) {
            let (start, size) = (object.start, object.size);
            self.remove_block(start, size);
        }
        if depth == 1 {
            if thread == 0 {
                self.next[ENDED] = 1;
            }
            let start = self.scene.threads[thread].start;
            self.next[start + STATUS] = 1;
            let value = if thread == 0 { 0 } else { self.values.first().copied().unwrap_or(0) };
            self.next[start + VALUE..start + VALUE + 8].copy_from_slice(&value.to_le_bytes());
            return Ok(());
        }
        self.go_on_behind_call(thread, matches!(result, Some(Handed::Block(..))))
    }

    /// Lets the caller have what was handed back, and puts it behind its call.
    pub(super) fn go_on_behind_call(&mut self, thread: usize, hands_back_block: bool) -> Result<(), Halt> {
        let machine = self.machine;
        self.local = self.scene.threads[thread].top;
        let function = &machine.functions[scene::function(&self.next, self.local)];
        let location = &function.locations[scene::location(&self.next, self.local) as usize];
        let edge = &function.edges[location.first as usize];
        let (Some(Act::Call { result: to, .. }) | Some(Act::CallPointer { result: to, .. })) =
            edge.acts.last()
        else {
            return Err(Halt::Fault(Fault::NotAFunction));
        };
        if let Some((place, scalar)) = to {
            let to = self.value(place)? as usize;
            if hands_back_block {
                let size = self.blocks.len();
                self.note(Bytes::State(to), size, true);
                self.next[to..to + size].copy_from_slice(&self.blocks);
            } else {
                let value = self.values.first().copied().unwrap_or(0);
                self.put(to, *scalar, value);
            }
        }
        scene::set_location(&mut self.next, self.local, edge.to);
        Ok(())
    }

    /// Who owns what is allocated in the frame of the call that goes on.
    pub(super) fn owner(&self, thread: usize) -> u32 {
        let depth = scene::read_u16(&self.next, self.scene.threads[thread].start + DEPTH);
        (thread as u32 + 1) << 16 | u32::from(depth)
    }
}
