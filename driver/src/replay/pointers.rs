//! Pointers of a native run that lead to one allocation.
//!
//! **Does not**: know distances that are no constants; such pointers have buffers of their own.

use heddle_diagnostics::{Reach, Witness};
use heddle_execute::jit::Compiled;
use heddle_ir::{ObjectId, ObjectKind};
use heddle_passes::launch::{LaunchRequest, SharedMemory};

use super::Subject;

/// Gives pointers among the packed arguments the memory that they have in common at the launch of
/// the host that the run is one of.
pub(super) fn share(
    subject: &Subject<'_>,
    witness: &Witness,
    compiled: &Compiled,
    packed: &mut [u8],
) {
    let (Reach::Launched(at) | Reach::Called { at, .. }) = &witness.reach else { return };
    let requests = subject.request.each();
    let host = requests.iter().filter_map(LaunchRequest::host).find(|it| it.at == *at);
    for SharedMemory { one, other, by } in host.iter().flat_map(|it| &it.pointers.shared) {
        let by = by.and_then(|by| subject.kernel.exprs.as_const(by));
        let [one, other] = [one, other].map(|it| place(subject, compiled, *it));
        let (Some(one), Some(other), Some(by)) = (one, other, by) else { continue };
        let (Some(given), true) = (packed.get(one..one + 8), other + 8 <= packed.len()) else {
            continue;
        };
        let address = given.iter().rev().fold(0, |all: u64, it| all << 8 | u64::from(*it));
        let address = address.wrapping_add(by as u64);
        packed[other..other + 8].copy_from_slice(&address.to_le_bytes());
    }
}

/// Where the pointer to an object is among the packed arguments.
fn place(subject: &Subject<'_>, compiled: &Compiled, object: ObjectId) -> Option<usize> {
    match subject.kernel[object].kind {
        ObjectKind::Param(index) => {
            let name = &subject.kernel.params.get(index as usize)?.name;
            compiled.parameters.iter().find(|it| it.name == *name).map(|it| it.offset)
        }
        ObjectKind::ParamField(of, offset) => {
            let structure = compiled.parameters.get(of as usize)?;
            Some(structure.offset + offset as usize)
        }
        ObjectKind::Pointee(_)
        | ObjectKind::Variable
        | ObjectKind::DynamicShared
        | ObjectKind::Alloca
        | ObjectKind::Unknown => None,
    }
}
