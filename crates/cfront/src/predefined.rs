//! The macros a compiler defines before it reads a text, as far as programs and headers ask for them.
//!
//! They say that the machine is a PC with Linux and that the compiler knows what gcc 4 knew, which is what
//! other front-ends say too: headers then take their plain ways.

use std::path::Path;

use crate::{DataModel, Options, headers};

/// What both data models have in common.
const COMMON: &[(&str, &str)] = &[
    ("__GNUC__", "4"),
    ("__GNUC_MINOR__", "2"),
    ("__GNUC_PATCHLEVEL__", "1"),
    ("__GNUC_STDC_INLINE__", "1"),
    ("__VERSION__", "\"4.2.1\""),
    ("__WHEREFORE__", "1"),
    ("__linux__", "1"),
    ("__linux", "1"),
    ("__gnu_linux__", "1"),
    ("__unix__", "1"),
    ("__unix", "1"),
    ("__ELF__", "1"),
    ("__CHAR_BIT__", "8"),
    ("__SCHAR_MAX__", "127"),
    ("__SHRT_MAX__", "32767"),
    ("__INT_MAX__", "2147483647"),
    ("__LONG_LONG_MAX__", "9223372036854775807LL"),
    ("__SIZEOF_SHORT__", "2"),
    ("__SIZEOF_INT__", "4"),
    ("__SIZEOF_LONG_LONG__", "8"),
    ("__SIZEOF_FLOAT__", "4"),
    ("__SIZEOF_DOUBLE__", "8"),
    ("__SIZEOF_WCHAR_T__", "4"),
    ("__BYTE_ORDER__", "1234"),
    ("__ORDER_LITTLE_ENDIAN__", "1234"),
    ("__ORDER_BIG_ENDIAN__", "4321"),
    ("__WCHAR_MAX__", "2147483647"),
    ("__INT8_TYPE__", "signed char"),
    ("__UINT8_TYPE__", "unsigned char"),
    ("__INT16_TYPE__", "short"),
    ("__UINT16_TYPE__", "unsigned short"),
    ("__INT32_TYPE__", "int"),
    ("__UINT32_TYPE__", "unsigned int"),
    ("__INT_LEAST8_TYPE__", "signed char"),
    ("__UINT_LEAST8_TYPE__", "unsigned char"),
    ("__INT_LEAST16_TYPE__", "short"),
    ("__UINT_LEAST16_TYPE__", "unsigned short"),
    ("__INT_LEAST32_TYPE__", "int"),
    ("__UINT_LEAST32_TYPE__", "unsigned int"),
    ("__INT_FAST8_TYPE__", "signed char"),
    ("__UINT_FAST8_TYPE__", "unsigned char"),
    ("__ATOMIC_RELAXED", "0"),
    ("__ATOMIC_CONSUME", "1"),
    ("__ATOMIC_ACQUIRE", "2"),
    ("__ATOMIC_RELEASE", "3"),
    ("__ATOMIC_ACQ_REL", "4"),
    ("__ATOMIC_SEQ_CST", "5"),
];

const LP64: &[(&str, &str)] = &[
    ("__x86_64__", "1"),
    ("__x86_64", "1"),
    ("__amd64__", "1"),
    ("__LP64__", "1"),
    ("_LP64", "1"),
    ("__LONG_MAX__", "9223372036854775807L"),
    ("__SIZE_MAX__", "18446744073709551615UL"),
    ("__PTRDIFF_MAX__", "9223372036854775807L"),
    ("__SIZEOF_LONG__", "8"),
    ("__SIZEOF_POINTER__", "8"),
    ("__SIZEOF_SIZE_T__", "8"),
    ("__SIZEOF_PTRDIFF_T__", "8"),
    ("__SIZEOF_LONG_DOUBLE__", "16"),
    ("__SIZEOF_INT128__", "16"),
    ("__SIZE_TYPE__", "unsigned long"),
    ("__PTRDIFF_TYPE__", "long"),
    ("__WCHAR_TYPE__", "int"),
    ("__INTPTR_TYPE__", "long"),
    ("__UINTPTR_TYPE__", "unsigned long"),
    ("__INTMAX_TYPE__", "long"),
    ("__UINTMAX_TYPE__", "unsigned long"),
    ("__INT64_TYPE__", "long"),
    ("__UINT64_TYPE__", "unsigned long"),
    ("__INT_LEAST64_TYPE__", "long"),
    ("__UINT_LEAST64_TYPE__", "unsigned long"),
    ("__INT_FAST16_TYPE__", "long"),
    ("__UINT_FAST16_TYPE__", "unsigned long"),
    ("__INT_FAST32_TYPE__", "long"),
    ("__UINT_FAST32_TYPE__", "unsigned long"),
    ("__INT_FAST64_TYPE__", "long"),
    ("__UINT_FAST64_TYPE__", "unsigned long"),
];

const ILP32: &[(&str, &str)] = &[
    ("__i386__", "1"),
    ("__i386", "1"),
    ("__ILP32__", "1"),
    ("_ILP32", "1"),
    ("__LONG_MAX__", "2147483647L"),
    ("__SIZE_MAX__", "4294967295U"),
    ("__PTRDIFF_MAX__", "2147483647"),
    ("__SIZEOF_LONG__", "4"),
    ("__SIZEOF_POINTER__", "4"),
    ("__SIZEOF_SIZE_T__", "4"),
    ("__SIZEOF_PTRDIFF_T__", "4"),
    ("__SIZEOF_LONG_DOUBLE__", "12"),
    ("__SIZE_TYPE__", "unsigned int"),
    ("__PTRDIFF_TYPE__", "int"),
    ("__WCHAR_TYPE__", "long"),
    ("__INTPTR_TYPE__", "int"),
    ("__UINTPTR_TYPE__", "unsigned int"),
    ("__INTMAX_TYPE__", "long long"),
    ("__UINTMAX_TYPE__", "unsigned long long"),
    ("__INT64_TYPE__", "long long"),
    ("__UINT64_TYPE__", "unsigned long long"),
    ("__INT_LEAST64_TYPE__", "long long"),
    ("__UINT_LEAST64_TYPE__", "unsigned long long"),
    ("__INT_FAST16_TYPE__", "int"),
    ("__UINT_FAST16_TYPE__", "unsigned int"),
    ("__INT_FAST32_TYPE__", "int"),
    ("__UINT_FAST32_TYPE__", "unsigned int"),
    ("__INT_FAST64_TYPE__", "long long"),
    ("__UINT_FAST64_TYPE__", "unsigned long long"),
];

/// How to preprocess a text. In one that is preprocessed already no name is a macro, unless the caller
/// defines it.
pub(crate) fn options(path: &Path, options: &Options) -> preprocess::Options {
    let mut defines = Vec::new();
    if !is_preprocessed(path) {
        let model = match options.data_model {
            DataModel::Lp64 => LP64,
            DataModel::Ilp32 => ILP32,
        };
        let own = COMMON.iter().chain(model);
        defines.extend(own.map(|(name, value)| ((*name).to_owned(), Some((*value).to_owned()))));
    }
    defines.extend(options.defines.iter().cloned());
    let mut include_folders = options.include_dirs.clone();
    include_folders.push(headers::folder());
    include_folders.extend(options.system_dirs.iter().cloned());
    preprocess::Options {
        defines,
        include_folders,
        angles_in_folders_only: true,
        keep_pragmas: true,
        annotations: vec![constraint()],
        ..preprocess::Options::default()
    }
}

/// `//@ constraint: e` says what should hold; the function is declared where it is called, because nobody else may
/// have done so.
fn constraint() -> preprocess::Annotation {
    preprocess::Annotation {
        name: "constraint".to_owned(),
        before: "{ extern void __WHEREFORE_constraint(int); __WHEREFORE_constraint(!!(".to_owned(),
        after: ")); }".to_owned(),
    }
}

fn is_preprocessed(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "i")
}
