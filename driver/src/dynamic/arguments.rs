//! The packed arguments of a launch.
//!
//! **Promises**: each `--arg` names a parameter, and each parameter is given. **Does not**: make
//! buffers; `buffer` does.

use heddle_diagnostics::Finding;
use heddle_execute::jit::{Compiled, Parameter, ParameterKind};
use heddle_runtime::Memory;

use super::buffer::{self, Buffer};
use super::{RunOptions, bad};
use crate::native::shared_share;

/// Bytes of dynamic shared memory; where contents are made up, so is this.
pub(super) fn dynamic_shared(options: &RunOptions) -> u32 {
    match (options.dynamic_shared, &options.fill) {
        (0, Some(_)) => 32 << 10,
        (bytes, _) => bytes,
    }
}

/// The packed arguments.
pub(super) fn arguments_of(
    compiled: &Compiled,
    memory: &Memory,
    contents: &[Buffer],
    options: &RunOptions,
) -> Result<Vec<u8>, Finding> {
    let mut packed = vec![0; compiled.argument_bytes.max(16)];
    known_names(&compiled.parameters, options)?;
    let mut shared_used = 0;
    for parameter in &compiled.parameters {
        let Parameter { name, kind, offset, bytes: _ } = parameter;
        let value: Vec<u8> = match kind {
            ParameterKind::Pointer => {
                let index = contents.iter().position(|it| it.name == *name).unwrap_or(0);
                memory.buffers()[index].address.to_le_bytes().to_vec()
            }
            ParameterKind::SharedPointer => {
                let at = compiled.shared_bytes as u64 + shared_used;
                shared_used += shared_share(compiled, dynamic_shared(options));
                at.to_le_bytes().to_vec()
            }
            ParameterKind::Int | ParameterKind::Float | ParameterKind::Bytes => {
                match scalar(parameter, options)? {
                    Some(value) => value,
                    None => continue,
                }
            }
        };
        let end = (offset + value.len()).min(packed.len());
        packed[*offset..end].copy_from_slice(&value[..end - offset]);
    }
    Ok(packed)
}

/// Each `--arg` names a parameter.
pub(super) fn known_names(parameters: &[Parameter], options: &RunOptions) -> Result<(), Finding> {
    let is_known = |name: &str| parameters.iter().any(|it| it.name == name);
    match options.args.iter().find(|(name, _)| !is_known(name)) {
        None => Ok(()),
        Some((name, _)) => {
            let names: Vec<_> = parameters.iter().map(|it| format!("`{}`", it.name)).collect();
            let message = format!("`--arg {name}`: no parameter has this name");
            Err(bad(&message).help(format!("the parameters are {}", names.join(", "))))
        }
    }
}

/// The bytes of a scalar parameter; none for a structure that is made up, which is then all zero.
pub(super) fn scalar(
    parameter: &Parameter,
    options: &RunOptions,
) -> Result<Option<Vec<u8>>, Finding> {
    let Parameter { name, kind, offset: _, bytes } = parameter;
    match options.args.iter().find(|(of, _)| of == name) {
        Some((_, text)) => buffer::scalar(text, *kind, *bytes)
            .map(Some)
            .map_err(|why| bad(&format!("`--arg {name}={text}`: {why}"))),
        None if options.fill.is_some() && *kind == ParameterKind::Bytes => Ok(None),
        None if options.fill.is_some() => {
            buffer::scalar(&options.fill_scalar, *kind, *bytes).map(Some).map_err(|why| bad(&why))
        }
        None => {
            let help = match kind {
                ParameterKind::Bytes => format!(
                    "give its {bytes} bytes as the device has them, as in `--arg {name}=hex:{}`",
                    "00".repeat(*bytes)
                ),
                _ => format!("give it, as in `--arg {name}=1000`"),
            };
            Err(bad(&format!("nothing is said of the argument `{name}`")).help(help))
        }
    }
}
