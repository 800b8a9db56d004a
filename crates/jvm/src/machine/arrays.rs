//! Arrays.

use super::conduct::Touched;
use super::{Halt, Machine, Run};
use crate::code::Kind;
use crate::value::{Body, ClassId, Ref, Value};

/// Longer arrays are refused: a state would be too large.
const MOST_ELEMENTS: i32 = 1 << 24;

impl Machine<'_> {
    pub(super) fn array_load(&mut self) -> Run<()> {
        let (index, array) = (self.peek_int(0)?, self.peek_ref(1)?);
        let at = self.index(array, index)?;
        self.touch(array, at as u32, false)?;
        self.plain(Touched::Slot(array, at as u32), false, false);
        let value = self.value(array, at)?;
        self.drop(2);
        // Booleans and bytes lie in the same sort of array.
        self.push(value);
        Ok(())
    }

    pub(super) fn array_store(&mut self, kind: Kind) -> Run<()> {
        let (value, index, array) = (self.peek(0)?, self.peek_int(1)?, self.peek_ref(2)?);
        let at = self.index(array, index)?;
        let mut value = value;
        if let Value::Ref(stored) = value {
            self.check_store(array, stored)?;
        }
        if kind == Kind::Byte {
            let class = self.class_of(array)?;
            if self.world.class(class).element.is_some_and(|(kind, _)| kind == Kind::Boolean) {
                value = value.narrowed(Kind::Boolean);
            }
        }
        self.touch(array, at as u32, true)?;
        self.plain(Touched::Slot(array, at as u32), true, false);
        self.store(array, at, value)?;
        self.drop(3);
        Ok(())
    }

    /// Whether an index lies inside an array.
    fn index(&mut self, array: Ref, index: i32) -> Run<usize> {
        let length = self.array_length(array)?;
        match usize::try_from(index) {
            Ok(at) if at < length => Ok(at),
            _ => {
                let text = format!("Index {index} out of bounds for length {length}");
                Err(self.throw("java/lang/ArrayIndexOutOfBoundsException", Some(&text)))
            }
        }
    }

    /// An array takes only what its elements may be.
    fn check_store(&mut self, array: Ref, stored: Ref) -> Run<()> {
        if stored.is_null() {
            return Ok(());
        }
        let class = self.class_of(array)?;
        let Some((Kind::Ref, Some(element))) = self.world.class(class).element else {
            return Err(self.bad());
        };
        if self.is_instance(stored, element)? {
            return Ok(());
        }
        let class = self.class_of(stored)?;
        let name = self.world.class(class).name.replace('/', ".");
        Err(self.throw("java/lang/ArrayStoreException", Some(&name)))
    }

    pub(crate) fn array_length(&mut self, array: Ref) -> Run<usize> {
        self.not_null(array)?;
        match self.scene.object(self.world, array).map(|object| &object.body) {
            Some(Body::Fields(_)) | None => Err(self.bad()),
            Some(body) => Ok(body.length()),
        }
    }

    fn length(&mut self, length: i32) -> Run<usize> {
        if length < 0 {
            let text = length.to_string();
            return Err(self.throw("java/lang/NegativeArraySizeException", Some(&text)));
        }
        if length > MOST_ELEMENTS {
            return Err(self.needs("an array of more than 16 million elements"));
        }
        Ok(length as usize)
    }

    pub(super) fn new_array_op(&mut self, kind: Kind) -> Run<()> {
        let length = self.pop_int()?;
        let length = self.length(length)?;
        let array = self.new_array(kind, None, length)?;
        self.push(Value::Ref(array));
        Ok(())
    }

    pub(super) fn new_ref_array(&mut self, site: u32) -> Run<()> {
        let class = self.world.class_at(site)?;
        let length = self.pop_int()?;
        let length = self.length(length)?;
        let array = self.new_array(Kind::Ref, Some(class), length)?;
        self.push(Value::Ref(array));
        Ok(())
    }

    pub(super) fn new_multi_array(&mut self, site: u32, dimensions: usize) -> Run<()> {
        let class = self.world.class_at(site)?;
        let mut lengths = Vec::with_capacity(dimensions);
        for _ in 0..dimensions {
            lengths.push(self.pop_int()?);
        }
        lengths.reverse();
        let mut counts = Vec::with_capacity(dimensions);
        for length in lengths {
            counts.push(self.length(length)?);
        }
        let all = counts.iter().try_fold(1usize, |all, count| all.checked_mul(*count));
        if all.is_none_or(|all| all > MOST_ELEMENTS as usize) {
            return Err(self.needs("an array of more than 16 million elements"));
        }
        let array = self.nested_array(class, &counts)?;
        self.push(Value::Ref(array));
        Ok(())
    }

    fn nested_array(&mut self, class: ClassId, counts: &[usize]) -> Run<Ref> {
        let [count, rest @ ..] = counts else { return Err(self.bad()) };
        let Some((kind, element)) = self.world.class(class).element else { return Err(self.bad()) };
        let array = self.allocate(class, Body::array(kind, *count));
        if !rest.is_empty() {
            let Some(element) = element else { return Err(self.bad()) };
            for at in 0..*count {
                let inner = self.nested_array(element, rest)?;
                self.store(array, at, Value::Ref(inner))?;
            }
        }
        Ok(array)
    }

    /// Copies elements from one array to another.
    pub(crate) fn copy_elements(
        &mut self,
        from: Ref,
        from_at: i32,
        to: Ref,
        to_at: i32,
        count: i32,
    ) -> Run<()> {
        let (from_length, to_length) = (self.array_length(from)? as i64, self.array_length(to)? as i64);
        let outside = |at: i32, length: i64| at < 0 || count < 0 || i64::from(at) + i64::from(count) > length;
        if outside(from_at, from_length) || outside(to_at, to_length) {
            let text = format!(
                "arraycopy: last source index {} out of bounds",
                i64::from(from_at) + i64::from(count)
            );
            return Err(self.throw("java/lang/ArrayIndexOutOfBoundsException", Some(&text)));
        }
        let (from_class, to_class) = (self.class_of(from)?, self.class_of(to)?);
        let kind = |class: ClassId, machine: &Self| machine.world.class(class).element.map(|(kind, _)| kind);
        if kind(from_class, self) != kind(to_class, self) {
            return Err(self.throw("java/lang/ArrayStoreException", Some("arraycopy: type mismatch")));
        }
        if count > 0 {
            self.touch(from, from_at as u32, false)?;
            self.touch(to, to_at as u32, true)?;
        }
        let (from_at, to_at, count) = (from_at as usize, to_at as usize, count as usize);
        let mut values = Vec::with_capacity(count);
        for at in from_at..from_at + count {
            values.push(self.value(from, at)?);
        }
        let checks = !self.world.is_a(from_class, to_class);
        for (at, value) in (to_at..).zip(values) {
            if let (true, Value::Ref(stored)) = (checks, value) {
                self.check_store(to, stored)?;
            }
            self.store(to, at, value)?;
        }
        Ok(())
    }

    /// The elements of an array of bytes.
    pub(crate) fn bytes(&mut self, array: Ref) -> Run<Vec<i8>> {
        match self.scene.object(self.world, array).map(|object| &object.body) {
            Some(Body::Bytes(bytes)) => Ok(bytes.clone()),
            _ => Err(self.bad()),
        }
    }

    pub(crate) fn unsupported(&mut self, what: &str) -> Halt {
        self.needs(what)
    }
}
