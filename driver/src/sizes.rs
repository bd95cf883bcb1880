//! Sizes of buffers, `--size out=n`, as facts of a launch.
//!
//! **Promises**: a size is an expression over the kernel's parameters in elements of what the
//! pointer leads to, or in bytes where its type is not known. **Does not**: check accesses.

use heddle_diagnostics::Finding;
use heddle_ir::{CmpOp, Kernel, ObjectId, ObjectKind, Shape};
use heddle_passes::condition::{condition_text, parse_number};
use heddle_passes::launch::{BufferSize, LaunchRequest};

use super::options::BufferElements;
use super::trouble::{Trouble, refused};

/// The kernels that have such a pointer and the names of its size, by index.
pub(super) fn bind(
    kernels: &mut [&mut Kernel],
    size: &BufferElements,
    requests: &mut [LaunchRequest],
    optional: bool,
    trouble: &mut Trouble,
) -> Vec<usize> {
    let BufferElements { name, elements } = size;
    let (mut having, mut errors) = (Vec::new(), Vec::new());
    for (index, (kernel, request)) in kernels.iter_mut().zip(requests).enumerate() {
        let Some(object) = buffer(kernel, name) else { continue };
        match parse_number(kernel, elements) {
            Ok(count) => {
                having.push(index);
                let (stride, unit) = match kernel[object].shape {
                    Shape::Array { stride, .. } if stride > 0 => (stride, "elements"),
                    Shape::Scalar { bytes } if bytes > 0 => (bytes, "elements"),
                    Shape::Array { .. }
                    | Shape::Scalar { .. }
                    | Shape::Struct { .. }
                    | Shape::Bytes => (1, "bytes"),
                };
                let each = kernel.exprs.constant(u128::from(stride), 64);
                let bytes = kernel.exprs.mul(count, each);
                let of = match unit {
                    "elements" => format!(" of {stride} bytes"),
                    _ => String::new(),
                };
                let text = format!("{name} has {elements} {unit}{of}");
                // No buffer has a negative size; a launch that would give it one is none.
                let zero = kernel.exprs.constant(0, 64);
                let is_size = kernel.exprs.cmp(CmpOp::Sle, zero, bytes);
                if kernel.exprs.as_const(is_size) != Some(1) {
                    let condition = format!("{elements} >= 0");
                    let said = condition_text(kernel, is_size, &condition);
                    request.assumptions.push((is_size, said));
                }
                request.sizes.push(BufferSize { object, bytes, text });
            }
            Err(error) => errors.push(error),
        }
    }
    let lacks_pointer = having.is_empty() && errors.is_empty() && !kernels.is_empty();
    let lacks_name_only = optional || !having.is_empty();
    let first = errors.into_iter().find(|error| !lacks_name_only || error.unknown_name.is_none());
    if let Some(error) = first {
        let message =
            format!("`--size {name}={elements}`, column {}: {}", error.column, error.message);
        let help = "a size is an expression over parameters, `blockDim`, `gridDim` and integers, as in `n * m`";
        trouble.add(refused(message, help));
    } else if lacks_pointer && !optional {
        trouble.add(unknown(kernels, name));
    }
    having
}

/// What a pointer argument of this name leads to.
fn buffer(kernel: &Kernel, name: &str) -> Option<ObjectId> {
    let is_buffer = |id: &ObjectId| {
        let object = &kernel[*id];
        object.name == name
            && matches!(object.kind, ObjectKind::Param(_) | ObjectKind::ParamField(..))
    };
    kernel.objects.keys().find(is_buffer)
}

fn unknown(kernels: &[&mut Kernel], name: &str) -> Finding {
    let message = format!("`--size {name}`: no kernel has a pointer argument of this name");
    let lists: Vec<_> = kernels.iter().map(|kernel| buffers(kernel)).collect();
    refused(message, lists.join("; "))
}

fn buffers(kernel: &Kernel) -> String {
    let is_argument =
        |kind: &ObjectKind| matches!(kind, ObjectKind::Param(_) | ObjectKind::ParamField(..));
    let all = kernel.objects.values().filter(|it| is_argument(&it.kind));
    let names: Vec<_> = all.map(|it| format!("`{}`", it.name)).collect();
    match names.as_slice() {
        [] => format!("`{}` has no pointer arguments", kernel.display_name),
        names => format!("the pointers of `{}` are {}", kernel.display_name, names.join(", ")),
    }
}
