//! Types, each once, with their sizes in the data model of the program.
//!
//! Qualifiers are not part of a type here: what they mean for reading and writing stands at the access
//! ([`Access`](super::Access)). Nor are typedefs, and `long` and `long long` are one type where they have
//! one width. Records and enumerations are the same type only if they are the same declaration.

use std::fmt::Write as _;

use rustc_hash::FxHashMap;

use super::{EnumId, RecordId, SignatureId, TypeId};

/// How wide the integer types are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DataModel {
    /// `int`, `long` and pointers have 32 bits.
    Ilp32,
    /// `int` has 32 bits, `long` and pointers have 64.
    #[default]
    Lp64,
}

impl DataModel {
    pub fn pointer_bits(self) -> u8 {
        match self {
            DataModel::Ilp32 => 32,
            DataModel::Lp64 => 64,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    Void,
    Bool,
    Int(Int),
    Enum(EnumId),
    Float(Float),
    Pointer(TypeId),
    /// Without a length it is incomplete: declared elsewhere, or the open end of a structure.
    Array {
        element: TypeId,
        length: Option<u64>,
    },
    Record(RecordId),
    Function(SignatureId),
    /// The type of a field that programs are refused for using; the words name it.
    Opaque(&'static str),
}

/// An integer type: two's complement of 8, 16, 32, 64 or 128 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Int {
    pub bits: u8,
    pub signed: bool,
}

impl Int {
    pub const INT: Int = Int { bits: 32, signed: true };

    /// The value that fits the type and agrees with `value` in its low bits.
    pub fn wrap(self, value: i128) -> i128 {
        let unused = 128 - u32::from(self.bits);
        if self.signed {
            value.wrapping_shl(unused).wrapping_shr(unused)
        } else {
            (value as u128).wrapping_shl(unused).wrapping_shr(unused) as i128
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Float {
    Single,
    Double,
    /// `long double`: it has its own size, but is computed as a double, and the reader remarks on it.
    Extended,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordKind {
    Struct,
    Union,
}

#[derive(Clone, Debug)]
pub struct Record {
    pub kind: RecordKind,
    pub tag: Option<Box<str>>,
    /// None for a record that is declared and not defined.
    pub layout: Option<Layout>,
    pub fields: Vec<Field>,
}

#[derive(Clone, Debug)]
pub struct Field {
    /// None for an anonymous structure or union, and for a bit-field without a name.
    pub name: Option<Box<str>>,
    pub ty: TypeId,
    /// Bytes from the start of the record; of a bit-field, the byte its first bit lies in.
    pub offset: u64,
    pub bits: Option<BitRange>,
}

/// Where in memory a bit-field lies, counted from the lowest bit of the byte at its offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BitRange {
    /// 0 to 7.
    pub start: u8,
    pub width: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    pub size: u64,
    pub align: u64,
}

#[derive(Clone, Debug)]
pub struct Enumeration {
    pub tag: Option<Box<str>>,
    /// The integer type its values have.
    pub underlying: Int,
    pub constants: Vec<(Box<str>, i128)>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Signature {
    pub result: TypeId,
    pub parameters: Vec<TypeId>,
    pub variadic: bool,
    /// Whether the parameters are known: not for `int f();`.
    pub prototyped: bool,
}

/// All types of a program.
#[derive(Debug)]
pub struct Types {
    model: DataModel,
    types: Vec<(Type, Option<Layout>)>,
    ids: FxHashMap<Type, TypeId>,
    records: Vec<Record>,
    enums: Vec<Enumeration>,
    signatures: Vec<Signature>,
    signature_ids: FxHashMap<Signature, SignatureId>,
}

impl Types {
    pub(crate) fn new(model: DataModel) -> Self {
        Self {
            model,
            types: Vec::new(),
            ids: FxHashMap::default(),
            records: Vec::new(),
            enums: Vec::new(),
            signatures: Vec::new(),
            signature_ids: FxHashMap::default(),
        }
    }

    pub fn data_model(&self) -> DataModel {
        self.model
    }

    pub fn get(&self, id: TypeId) -> Type {
        self.types[id.index()].0
    }

    pub fn record(&self, id: RecordId) -> &Record {
        &self.records[id.index()]
    }

    pub fn enumeration(&self, id: EnumId) -> &Enumeration {
        &self.enums[id.index()]
    }

    pub fn signature(&self, id: SignatureId) -> &Signature {
        &self.signatures[id.index()]
    }

    /// Size and alignment in bytes; none for incomplete types, `void` and functions.
    pub fn layout(&self, id: TypeId) -> Option<Layout> {
        let (mut id, mut count) = (id, 1u64);
        while let Type::Array { element, length } = self.get(id) {
            count = count.checked_mul(length?)?;
            id = element;
        }
        let one = match self.get(id) {
            Type::Record(record) => self.record(record).layout?,
            _ => self.types[id.index()].1?,
        };
        Some(Layout { size: one.size.checked_mul(count)?, ..one })
    }

    pub fn size(&self, id: TypeId) -> Option<u64> {
        self.layout(id).map(|layout| layout.size)
    }

    /// The integer type values of this type have: of `bool` 8 bits without sign.
    pub fn int(&self, id: TypeId) -> Option<Int> {
        match self.get(id) {
            Type::Bool => Some(Int { bits: 8, signed: false }),
            Type::Int(int) => Some(int),
            Type::Enum(id) => Some(self.enumeration(id).underlying),
            _ => None,
        }
    }

    pub fn float(&self, id: TypeId) -> Option<Float> {
        match self.get(id) {
            Type::Float(float) => Some(float),
            _ => None,
        }
    }

    /// What a pointer points to.
    pub fn pointee(&self, id: TypeId) -> Option<TypeId> {
        match self.get(id) {
            Type::Pointer(pointee) => Some(pointee),
            _ => None,
        }
    }

    /// The element of an array.
    pub fn element(&self, id: TypeId) -> Option<TypeId> {
        match self.get(id) {
            Type::Array { element, .. } => Some(element),
            _ => None,
        }
    }

    pub fn is_void(&self, id: TypeId) -> bool {
        self.get(id) == Type::Void
    }

    pub fn is_pointer(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Pointer(_))
    }

    pub fn is_record(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Record(_))
    }

    /// The number of the type, which is made if it is new. `layout` is that of scalars and opaque types.
    pub(crate) fn intern(&mut self, ty: Type, layout: Option<Layout>) -> TypeId {
        let next = TypeId(self.types.len() as u32);
        *self.ids.entry(ty).or_insert_with(|| {
            self.types.push((ty, layout));
            next
        })
    }

    pub(crate) fn intern_signature(&mut self, signature: Signature) -> SignatureId {
        if let Some(id) = self.signature_ids.get(&signature) {
            return *id;
        }
        let id = SignatureId(self.signatures.len() as u32);
        self.signature_ids.insert(signature.clone(), id);
        self.signatures.push(signature);
        id
    }

    pub(crate) fn add_record(&mut self, record: Record) -> RecordId {
        self.records.push(record);
        RecordId(self.records.len() as u32 - 1)
    }

    pub(crate) fn record_mut(&mut self, id: RecordId) -> &mut Record {
        &mut self.records[id.index()]
    }

    pub(crate) fn add_enum(&mut self, enumeration: Enumeration) -> EnumId {
        self.enums.push(enumeration);
        EnumId(self.enums.len() as u32 - 1)
    }

    /// The type in the words of C, for people: `unsigned char`, `struct node *`, `int [3][2]`.
    pub fn spell(&self, id: TypeId) -> String {
        let mut text = String::new();
        self.spell_into(id, "", &mut text);
        text
    }

    /// Writes a declaration of `inner`, inside out as C does it. What is written outwards is a chain, so
    /// this is a loop except for parameters.
    fn spell_into(&self, id: TypeId, inner: &str, text: &mut String) {
        let (mut id, mut inner) = (id, inner.to_owned());
        loop {
            match self.get(id) {
                Type::Pointer(pointee) => {
                    let grouped = matches!(self.get(pointee), Type::Array { .. } | Type::Function(_));
                    inner = if grouped { format!("(*{inner})") } else { format!("*{inner}") };
                    id = pointee;
                }
                Type::Array { element, length } => {
                    match length {
                        Some(length) => _ = write!(inner, "[{length}]"),
                        None => inner.push_str("[]"),
                    }
                    id = element;
                }
                Type::Function(signature) => {
                    let signature = self.signature(signature);
                    inner.push('(');
                    for (index, parameter) in signature.parameters.iter().enumerate() {
                        if index > 0 {
                            inner.push_str(", ");
                        }
                        self.spell_into(*parameter, "", &mut inner);
                    }
                    match (signature.parameters.is_empty(), signature.variadic, signature.prototyped) {
                        (false, true, _) => inner.push_str(", ..."),
                        (true, true, _) => inner.push_str("..."),
                        (true, false, true) => inner.push_str("void"),
                        _ => {}
                    }
                    inner.push(')');
                    id = signature.result;
                }
                leaf => {
                    self.spell_leaf(leaf, text);
                    if !inner.is_empty() {
                        text.push(' ');
                        text.push_str(&inner);
                    }
                    return;
                }
            }
        }
    }

    fn spell_leaf(&self, leaf: Type, text: &mut String) {
        let tagged = |keyword: &str, tag: &Option<Box<str>>| match tag {
            Some(tag) => format!("{keyword} {tag}"),
            None => format!("{keyword} {{...}}"),
        };
        let words = match leaf {
            Type::Void => "void".to_owned(),
            Type::Bool => "_Bool".to_owned(),
            Type::Int(int) => {
                let name = match (int.bits, self.model) {
                    (8, _) => "char",
                    (16, _) => "short",
                    (32, _) => "int",
                    (64, DataModel::Lp64) => "long",
                    (64, DataModel::Ilp32) => "long long",
                    _ => "__int128",
                };
                if int.signed { name.to_owned() } else { format!("unsigned {name}") }
            }
            Type::Float(Float::Single) => "float".to_owned(),
            Type::Float(Float::Double) => "double".to_owned(),
            Type::Float(Float::Extended) => "long double".to_owned(),
            Type::Record(id) => {
                let record = self.record(id);
                let keyword = match record.kind {
                    RecordKind::Struct => "struct",
                    RecordKind::Union => "union",
                };
                tagged(keyword, &record.tag)
            }
            Type::Enum(id) => tagged("enum", &self.enumeration(id).tag),
            Type::Opaque(what) => format!("<{what}>"),
            Type::Pointer(_) | Type::Array { .. } | Type::Function(_) => String::new(),
        };
        text.push_str(&words);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_wrap_to_their_type() {
        let char = Int { bits: 8, signed: true };
        let byte = Int { bits: 8, signed: false };
        assert_eq!(char.wrap(200), -56);
        assert_eq!(byte.wrap(-1), 255);
        assert_eq!(byte.wrap(256), 0);
        let wide = Int { bits: 128, signed: true };
        assert_eq!(wide.wrap(i128::MIN), i128::MIN);
    }

    #[test]
    fn types_are_spelled_inside_out() {
        let mut types = Types::new(DataModel::Lp64);
        let int = types.intern(Type::Int(Int::INT), Some(Layout { size: 4, align: 4 }));
        let array = types.intern(Type::Array { element: int, length: Some(2) }, None);
        let pointer = types.intern(Type::Pointer(array), Some(Layout { size: 8, align: 8 }));
        assert_eq!(types.spell(pointer), "int (*)[2]");
        assert_eq!(types.size(array), Some(8));
        let signature =
            Signature { result: pointer, parameters: vec![int, pointer], variadic: true, prototyped: true };
        let signature = types.intern_signature(signature);
        let function = types.intern(Type::Function(signature), None);
        assert_eq!(types.spell(function), "int (*(int, int (*)[2], ...))[2]");
        assert_eq!(types.layout(function), None);
    }
}
