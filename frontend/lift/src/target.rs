//! What a module is for: NVPTX or SPIR-V, by its triple.
//!
//! **Does not**: look into a module; one without a triple is the reader's to judge.

use crate::{InputError, InputErrorKind};

/// The family of a module's target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// `nvptx` or `nvptx64`
    Nvptx,
    /// `spir`, `spir64`, `spirv32`, `spirv64`, `spirv`
    Spirv,
}

impl Target {
    /// The triple and the data layout that clang 22 gives modules for it.
    pub fn defaults(self) -> (&'static str, &'static str) {
        match self {
            Target::Nvptx => (
                "nvptx64-nvidia-cuda",
                "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64",
            ),
            Target::Spirv => (
                "spirv64",
                "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1",
            ),
        }
    }

    /// The family of a triple, if it is one that is read.
    pub fn of_triple(triple: &str) -> Option<Target> {
        Target::named("", triple).ok()
    }

    /// The family of a module's triple; `name` is the input's in messages.
    ///
    /// # Errors
    /// [`InputErrorKind::HostModule`], [`InputErrorKind::OtherTarget`].
    pub fn named(name: &str, triple: &str) -> Result<Target, InputError> {
        let arch = triple.split('-').next().unwrap_or_default();
        if arch.starts_with("nvptx") {
            return Ok(Target::Nvptx);
        }
        if arch.starts_with("spir") {
            return Ok(Target::Spirv);
        }
        const HOSTS: [&str; 12] = [
            "x86_64",
            "i386",
            "i686",
            "aarch64",
            "arm",
            "thumb",
            "riscv",
            "powerpc",
            "s390x",
            "loongarch",
            "mips",
            "wasm",
        ];
        if triple.is_empty() {
            return Err(InputError::new(
                InputErrorKind::OtherTarget,
                name,
                "the module names no target, and has no kernel that shows it",
                "add `target triple = \"nvptx64-nvidia-cuda\"` or `target triple = \"spirv64\"`",
            ));
        }
        if HOSTS.iter().any(|host| arch.starts_with(host)) {
            return Err(InputError::new(
                InputErrorKind::HostModule,
                name,
                format!("this module is for the CPU (`{triple}`), it has no kernels that run"),
                "compile the device side: `clang-22 --cuda-device-only -emit-llvm -S`",
            ));
        }
        if arch.starts_with("amdgcn") || arch.starts_with("r600") {
            return Err(InputError::new(
                InputErrorKind::OtherTarget,
                name,
                format!("modules for AMD GPUs (`{triple}`) are not read yet"),
                "compile the kernel for `nvptx64` or `spirv64`",
            ));
        }
        Err(InputError::new(
            InputErrorKind::OtherTarget,
            name,
            format!("the target `{triple}` is not one of NVPTX and SPIR-V"),
            "compile the kernel for `nvptx64` or `spirv64`",
        ))
    }
}
