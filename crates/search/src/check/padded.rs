//! Numbers that threads write at the same time, kept apart.

/// Alone in its lines of the cache, so that who writes it does not disturb who reads its neighbours.
#[derive(Default)]
#[repr(align(128))]
pub(super) struct Padded<T>(pub(super) T);
