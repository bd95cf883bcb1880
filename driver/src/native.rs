//! What runs of native code take of a launch that leaves it open: the same for the run of a kernel
//! ([`crate::dynamic`]) and the replay of a witness ([`crate::replay`]).

use heddle_execute::jit::{Compiled, ParameterKind};

/// Threads that are there at the same time, where the number of resident blocks is not said.
pub(crate) const RESIDENT_THREADS: u32 = 4096;

/// What each pointer parameter to shared memory gets of it: equal shares.
pub(crate) fn shared_share(compiled: &Compiled, bytes: u32) -> u64 {
    let count =
        compiled.parameters.iter().filter(|it| it.kind == ParameterKind::SharedPointer).count();
    (u64::from(bytes) / count.max(1) as u64) & !15
}
