//! Values, references and objects.

use crate::code::Kind;

/// A class that is linked, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ClassId(pub(crate) u32);

/// A method of a class that is linked, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct MethodId(pub(crate) u32);

/// A reference: nothing, an object of the base image, or an object of the program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Ref(u32);

const BASE: u32 = 1 << 31;

impl Ref {
    pub(crate) const NULL: Self = Self(0);

    /// An object of the program, by its place in the heap.
    pub(crate) fn own(at: usize) -> Self {
        Self(at as u32 + 1)
    }

    pub(crate) fn base(at: usize) -> Self {
        Self(at as u32 | BASE)
    }

    pub(crate) fn is_null(self) -> bool {
        self.0 == 0
    }

    /// The place in the heap of an object of the program.
    pub(crate) fn as_own(self) -> Option<usize> {
        (self.0 != 0 && self.0 & BASE == 0).then(|| self.0 as usize - 1)
    }

    pub(crate) fn as_base(self) -> Option<usize> {
        (self.0 & BASE != 0).then_some((self.0 & !BASE) as usize)
    }
}

/// What a variable holds. Smaller integers are `Int`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Value {
    /// Nothing that anybody may look at.
    Nothing,
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
    Ref(Ref),
}

impl Value {
    pub(crate) const NULL: Self = Self::Ref(Ref::NULL);

    /// What variables hold before they are given a value.
    pub(crate) fn default_of(kind: Kind) -> Self {
        match kind {
            Kind::Long => Self::Long(0),
            Kind::Float => Self::Float(0.0),
            Kind::Double => Self::Double(0.0),
            Kind::Ref => Self::NULL,
            _ => Self::Int(0),
        }
    }

    pub(crate) fn is_wide(self) -> bool {
        matches!(self, Self::Long(_) | Self::Double(_))
    }

    /// The value as a variable of a kind keeps it.
    pub(crate) fn narrowed(self, kind: Kind) -> Self {
        match (self, kind) {
            (Self::Int(value), Kind::Boolean) => Self::Int(value & 1),
            (Self::Int(value), Kind::Byte) => Self::Int(i32::from(value as i8)),
            (Self::Int(value), Kind::Char) => Self::Int(i32::from(value as u16)),
            (Self::Int(value), Kind::Short) => Self::Int(i32::from(value as i16)),
            (value, _) => value,
        }
    }

    /// Whether two values are the same, bit by bit.
    pub(crate) fn same(self, other: Self) -> bool {
        match (self, other) {
            (Self::Nothing, Self::Nothing) => true,
            (Self::Int(one), Self::Int(two)) => one == two,
            (Self::Long(one), Self::Long(two)) => one == two,
            (Self::Float(one), Self::Float(two)) => one.to_bits() == two.to_bits(),
            (Self::Double(one), Self::Double(two)) => one.to_bits() == two.to_bits(),
            (Self::Ref(one), Self::Ref(two)) => one == two,
            _ => false,
        }
    }
}

/// What an object holds.
#[derive(Clone, Debug)]
pub(crate) enum Body {
    Fields(Box<[Value]>),
    /// Bytes and booleans.
    Bytes(Vec<i8>),
    Chars(Vec<u16>),
    Shorts(Vec<i16>),
    Ints(Vec<i32>),
    Longs(Vec<i64>),
    Floats(Vec<f32>),
    Doubles(Vec<f64>),
    Refs(Vec<Ref>),
}

impl Body {
    pub(crate) fn array(kind: Kind, length: usize) -> Self {
        match kind {
            Kind::Boolean | Kind::Byte => Self::Bytes(vec![0; length]),
            Kind::Char => Self::Chars(vec![0; length]),
            Kind::Short => Self::Shorts(vec![0; length]),
            Kind::Int => Self::Ints(vec![0; length]),
            Kind::Long => Self::Longs(vec![0; length]),
            Kind::Float => Self::Floats(vec![0.0; length]),
            Kind::Double => Self::Doubles(vec![0.0; length]),
            Kind::Ref => Self::Refs(vec![Ref::NULL; length]),
        }
    }

    pub(crate) fn length(&self) -> usize {
        match self {
            Self::Fields(of) => of.len(),
            Self::Bytes(of) => of.len(),
            Self::Chars(of) => of.len(),
            Self::Shorts(of) => of.len(),
            Self::Ints(of) => of.len(),
            Self::Longs(of) => of.len(),
            Self::Floats(of) => of.len(),
            Self::Doubles(of) => of.len(),
            Self::Refs(of) => of.len(),
        }
    }

    /// A field or an element.
    #[inline]
    pub(crate) fn get(&self, at: usize) -> Option<Value> {
        Some(match self {
            Self::Fields(of) => *of.get(at)?,
            Self::Bytes(of) => Value::Int(i32::from(*of.get(at)?)),
            Self::Chars(of) => Value::Int(i32::from(*of.get(at)?)),
            Self::Shorts(of) => Value::Int(i32::from(*of.get(at)?)),
            Self::Ints(of) => Value::Int(*of.get(at)?),
            Self::Longs(of) => Value::Long(*of.get(at)?),
            Self::Floats(of) => Value::Float(*of.get(at)?),
            Self::Doubles(of) => Value::Double(*of.get(at)?),
            Self::Refs(of) => Value::Ref(*of.get(at)?),
        })
    }

    /// Sets a field or an element; nothing if there is none, or if it is of another sort.
    #[inline]
    pub(crate) fn set(&mut self, at: usize, value: Value) -> Option<()> {
        match (self, value) {
            (Self::Fields(of), value) => *of.get_mut(at)? = value,
            (Self::Bytes(of), Value::Int(value)) => *of.get_mut(at)? = value as i8,
            (Self::Chars(of), Value::Int(value)) => *of.get_mut(at)? = value as u16,
            (Self::Shorts(of), Value::Int(value)) => *of.get_mut(at)? = value as i16,
            (Self::Ints(of), Value::Int(value)) => *of.get_mut(at)? = value,
            (Self::Longs(of), Value::Long(value)) => *of.get_mut(at)? = value,
            (Self::Floats(of), Value::Float(value)) => *of.get_mut(at)? = value,
            (Self::Doubles(of), Value::Double(value)) => *of.get_mut(at)? = value,
            (Self::Refs(of), Value::Ref(value)) => *of.get_mut(at)? = value,
            _ => return None,
        }
        Some(())
    }

    /// Calls `visit` for all references in it.
    pub(crate) fn refs(&self, mut visit: impl FnMut(Ref)) {
        match self {
            Self::Fields(of) => of.iter().for_each(|value| {
                if let Value::Ref(to) = value {
                    visit(*to);
                }
            }),
            Self::Refs(of) => of.iter().for_each(|to| visit(*to)),
            _ => {}
        }
    }

    pub(crate) fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Refs(one), Self::Refs(two)) => one == two,
            (Self::Bytes(one), Self::Bytes(two)) => one == two,
            _ => {
                self.length() == other.length()
                    && (0..self.length()).all(|at| match (self.get(at), other.get(at)) {
                        (Some(one), Some(two)) => one.same(two),
                        _ => false,
                    })
            }
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Object {
    pub(crate) class: ClassId,
    /// Its identity hash, once somebody asked for it.
    pub(crate) hash: i32,
    /// Which object of the user it was that was made before there were threads; 0 for all others. It is told by that.
    pub(crate) birth: u8,
    /// Whether more than one thread can reach it.
    pub(crate) shared: bool,
    pub(crate) body: Body,
}

impl Object {
    pub(crate) fn new(class: ClassId, body: Body) -> Self {
        Self { class, hash: 0, birth: 0, shared: false, body }
    }

    pub(crate) fn same(&self, other: &Self) -> bool {
        self.class == other.class && self.hash == other.hash && self.body.same(&other.body)
    }
}
