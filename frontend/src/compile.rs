//! From source to IR bytes, by clang.
//!
//! CUDA and OpenCL are compiled for the device, and **no LLVM pass runs**: `-O1` so that
//! functions are not marked `optnone`, `-disable-llvm-passes` so that nothing else of it happens.
//! Names and full debug info are kept, since messages are made of them.
//!
//! Without `--cuda-path`, CUDA is read against [`headers`], a small set of our own: no toolkit is
//! needed.
//!
//! **Who compiles** is a [`Compiler`]: [`ClangProcess`] runs `clang-22`; a binary that links clang
//! may pass its own, which saves the start of a process three times the size of the work.
//!
//! The host's part of a CUDA file is compiled where its launches are asked for ([`host_ir`]).
//!
//! **Does not**: link, or write a file outside the temporary directory.

mod clang;
mod dependencies;
mod dialect;
mod errors;
mod flags;
pub mod headers;
mod reads;
mod supplied;
pub mod toolkit;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

pub use clang::{ClangProcess, OPENCL_VERSION, command_line};
pub use errors::{compile_error, stopped, way_out_of_host};
pub use reads::Reads;

use crate::{Input, InputError, InputErrorKind, Language};

/// How sources are compiled. The defaults fit a kernel file without a build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompileOptions {
    /// The NVIDIA architecture, `sm_80`.
    pub arch: String,
    /// A CUDA toolkit to compile against, instead of the built-in headers.
    pub cuda_path: Option<PathBuf>,
    /// More arguments for clang, after ours.
    pub clang_args: Vec<OsString>,
    /// What OpenCL is compiled for.
    pub opencl_target: OpenClTarget,
    /// OpenCL's language version, as `-cl-std=` takes it.
    pub opencl_std: String,
    /// Whether clang may colour its messages.
    pub color: bool,
    /// The folder that relative paths in `clang_args` belong to: that of the build's command. The
    /// current one if not said.
    pub directory: Option<PathBuf>,
    /// The folders whose files may be embedded (`#embed`), links followed; those of any folder if
    /// not said. A clang in a process of its own does not look at this.
    pub embeds: Option<Vec<PathBuf>>,
}

/// What OpenCL is compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OpenClTarget {
    /// SPIR-V, 64 bit.
    Spirv64,
    /// NVIDIA.
    Nvptx64,
}

impl OpenClTarget {
    /// The target triple.
    pub fn triple(self) -> &'static str {
        match self {
            OpenClTarget::Spirv64 => "spirv64",
            OpenClTarget::Nvptx64 => "nvptx64-nvidia-cuda",
        }
    }
}

impl Default for CompileOptions {
    fn default() -> Self {
        CompileOptions {
            arch: "sm_80".to_owned(),
            cuda_path: None,
            clang_args: Vec::new(),
            opencl_target: OpenClTarget::Spirv64,
            // Accepts what 1.2 does, and pointers without an address space are generic instead of
            // private.
            opencl_std: "CL2.0".to_owned(),
            color: false,
            directory: None,
            embeds: None,
        }
    }
}

/// IR of one input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compiled {
    /// IR text or bitcode.
    pub bytes: Vec<u8>,
    /// What the compiler warned about, in its own words.
    pub warnings: String,
    /// The files that were read as source, the input and all that it includes but the built-in
    /// headers.
    pub files: Vec<PathBuf>,
    /// What was asked of the file system; none of a compiler that does not say.
    pub reads: Option<Reads>,
    /// Arguments for clang that no option said and the source needed, found in its project. The
    /// warnings name them.
    pub supplied: Vec<OsString>,
    /// Functions of the host that do not compile and are not in it ([`Broken::LeftOut`]): what was
    /// said of each.
    pub left_out: Vec<String>,
    /// The bytes are those of a compiler at work ([`Input::of_host`]).
    pub is_own: bool,
}

/// One source to compile.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The input's name in messages.
    pub name: &'a str,
    /// The file, which the compiler opens itself; none for standard input and memory.
    pub path: Option<&'a Path>,
    /// The text, when there is no file.
    pub text: &'a [u8],
    /// CUDA or OpenCL.
    pub language: Source,
    /// How.
    pub options: &'a CompileOptions,
    /// Which part of it.
    pub side: Side,
    /// What becomes of functions that do not compile.
    pub broken: Broken,
}

/// What becomes of a function of the host that does not compile. To the device's compilation it
/// brings nothing but the templates that it uses; to the host's, what it calls and sets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Broken {
    /// It is an error.
    #[default]
    Refused,
    /// It is left out, with a warning, by a compiler that can ([`ClangProcess`] cannot).
    LeftOut,
}

/// Which of its two compilations a CUDA source is compiled by. Other sources have one, the
/// device's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Side {
    /// What the GPU runs.
    #[default]
    Device,
    /// What starts it.
    Host,
}

/// The languages that are compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// CUDA C++
    Cuda,
    /// OpenCL C
    OpenCl,
}

/// Turns one source into IR.
pub trait Compiler: Sync {
    /// Compiles.
    ///
    /// # Errors
    /// The source has errors, or there is no compiler.
    fn compile(&self, request: &Request<'_>) -> Result<Compiled, InputError>;

    /// The compiler for a run over several sources, where another one is fit: one of which a crash
    /// ends one source and not the run.
    fn for_several(&self) -> Option<&dyn Compiler> {
        None
    }
}

/// The macro with which `heddle.h` makes calls of contracts, for clang alone as Heddle starts it.
const CONTRACTS: &str = "__HEDDLE_CONTRACTS__";
/// The macro that takes it back: the precompiled header knows the first one.
const NO_CONTRACTS: &str = "__HEDDLE_NO_CONTRACTS__";

/// The same options for a module that is executed: contracts are nothing there, as in any other
/// build.
pub fn without_contracts(options: &CompileOptions) -> CompileOptions {
    let mut options = options.clone();
    options.clang_args.push(format!("-D{NO_CONTRACTS}").into());
    options
}

/// What clang says where a pointer without an address space is one of another space.
const OTHER_SPACE: &str = "changes address space of pointer";

/// Gives the IR of an input, compiling it if it is source.
///
/// # Errors
/// The input cannot be read, the options make no sense, or the compiler refuses it.
pub fn to_ir(
    input: &Input,
    options: &CompileOptions,
    compiler: &dyn Compiler,
) -> Result<Compiled, InputError> {
    input.check_readable()?;
    let name = input.name();
    let declared = input.declared_language();
    // A source file is opened by the compiler; all else is read here, also to see what it is.
    let text = match (declared, input.path()) {
        (Some(Language::Cuda | Language::OpenCl), Some(_)) => Vec::new(),
        _ => input.bytes()?,
    };
    let language = declared.or_else(|| Language::of_bytes(&text)).ok_or_else(|| {
        InputError::new(
            InputErrorKind::UnknownLanguage,
            &name,
            "neither the name nor the text says which language this is",
            "name it `.cu`, `.cl`, `.ll`, `.bc`, `.ptx` or `.mlir`",
        )
    })?;
    let language = match language {
        Language::Ir | Language::Ptx | Language::Mlir => {
            let mut reads = input.path().map(Reads::of_file);
            let text = match language {
                Language::Ptx => crate::from_ptx::translate(&name, &text)?.into_bytes(),
                Language::Mlir => {
                    // Which program lowers it is not known to what keeps answers.
                    reads = None;
                    crate::from_mlir::translate(&name, &text)?
                }
                Language::Ir | Language::Cuda | Language::OpenCl => text,
            };
            let files = input.path().map(Path::to_owned).into_iter().collect();
            let is_own = input.is_of_host();
            let (warnings, supplied, left_out) = (String::new(), Vec::new(), Vec::new());
            return Ok(Compiled {
                bytes: text,
                warnings,
                files,
                reads,
                supplied,
                left_out,
                is_own,
            });
        }
        Language::Cuda => Source::Cuda,
        Language::OpenCl => Source::OpenCl,
    };
    check_arch(&name, &options.arch)?;
    let side = Side::Device;
    let path = input.path();
    let broken = Broken::Refused;
    let request = Request { name: &name, path, text: &text, language, options, side, broken };
    let mut whole = supplied::compile(&request, compiler);
    if let (Source::OpenCl, Err(error)) = (language, &whole)
        && options.opencl_std == CompileOptions::default().opencl_std
        && error.output.contains(OTHER_SPACE)
    {
        // A program of the time when pointers without an address space were private.
        let options = &CompileOptions { opencl_std: "CL1.2".to_owned(), ..options.clone() };
        let said = "read as OpenCL C 1.2, in which pointers without an address space are private";
        match supplied::compile(&Request { options, ..request }, compiler) {
            Ok(mut older) => {
                older.warnings = format!("{name}: warning: {said}\n{}", older.warnings);
                whole = Ok(older);
            }
            // What is left is what no edition takes.
            Err(mut older) if !older.output.contains(OTHER_SPACE) => {
                older.output = format!("note: {said}\n{}", older.output);
                whole = Err(older);
            }
            Err(_) => {}
        }
    }
    let is_in_functions = whole.as_ref().is_err_and(|error| {
        error.output.contains("error: ")
            && !["file not found", "clang crashed"].iter().any(|it| error.output.contains(it))
    });
    if language != Source::Cuda || !is_in_functions {
        return whole;
    }
    // The kernels of a file can be checked where a function beside them needs a library that is
    // not at hand.
    let left_out = Request { broken: Broken::LeftOut, ..request };
    match supplied::compile(&left_out, compiler) {
        Ok(compiled) if crate::read::has_kernel(&name, &compiled.bytes) => return Ok(compiled),
        _ => {}
    }
    delayed(&left_out, &whole, compiler).map_or(whole, Ok)
}

/// Compiles a source that misses names, which may stand in templates that nothing instantiates:
/// `nvcc` reads the body of a template no earlier than it is asked for.
fn delayed(
    request: &Request<'_>,
    whole: &Result<Compiled, InputError>,
    compiler: &dyn Compiler,
) -> Option<Compiled> {
    const FLAG: &str = "-fdelayed-template-parsing";
    let Err(error) = whole else { return None };
    if errors::undeclared(&error.output).is_empty() {
        return None;
    }
    let mut options = request.options.clone();
    options.clang_args.push(FLAG.into());
    let request = Request { options: &options, ..*request };
    let mut compiled = supplied::compile(&request, compiler).ok()?;
    if !crate::read::has_kernel(request.name, &compiled.bytes) {
        return None;
    }
    let said = "templates are read where they are used: some that nothing uses do not compile";
    compiled.warnings =
        format!("{}: warning: {said} (`-- {FLAG}`)\n{}", request.name, compiled.warnings);
    // The host's part is read likewise.
    compiled.supplied.push(FLAG.into());
    Some(compiled)
}

/// Gives the IR of the host's part of an input; none of what is no CUDA source. Of functions that
/// do not compile those may be left out that the device's part has left out, where what they name
/// was looked for. A host that calls instructions which no option asks for is read with options
/// that do, which are among what was supplied.
///
/// # Errors
/// As [`to_ir`].
pub fn host_ir(
    input: &Input,
    options: &CompileOptions,
    compiler: &dyn Compiler,
    left_out: &[String],
) -> Result<Option<Compiled>, InputError> {
    let text = match (input.declared_language(), input.path()) {
        (Some(Language::Cuda), Some(_)) => Vec::new(),
        (Some(Language::Cuda), None) => input.bytes()?,
        _ => return Ok(None),
    };
    let (name, side, language) = (input.name(), Side::Host, Source::Cuda);
    let (path, broken) = (input.path(), Broken::Refused);
    let request = Request { name: &name, path, text: &text, language, options, side, broken };
    let mut whole = flags::compile(&request, compiler);
    if let Err(error) = &whole
        && let Some(help) = way_out_of_host(&error.output)
    {
        // Its build names a processor, which says nothing of the launches but for what `#if` asks.
        let flags = clang::ALL_INSTRUCTIONS.map(OsString::from);
        let mut options = options.clone();
        options.clang_args.extend(flags.clone());
        let said = "is read as for a processor with most instructions, some of which it calls";
        let read = |mut compiled: Compiled| {
            compiled.warnings = format!("warning: the host's part of {name} {said}; {help}\n");
            compiled.supplied.extend(flags);
            compiled
        };
        whole =
            flags::compile(&Request { options: &options, ..request }, compiler).map(read).or(whole);
    }
    if whole.is_ok() || left_out.is_empty() {
        return whole.map(Some);
    }
    match flags::compile(&Request { broken: Broken::LeftOut, ..request }, compiler) {
        Ok(rest) if rest.left_out.iter().all(|it| left_out.contains(it)) => Ok(Some(rest)),
        Ok(_) | Err(_) => whole.map(Some),
    }
}

/// `sm_` and a number, with one letter at most: what is more than that is clang's to know.
fn check_arch(name: &str, arch: &str) -> Result<(), InputError> {
    let plausible = arch.strip_prefix("sm_").is_some_and(|rest| {
        let digits = rest.trim_end_matches(['a', 'f']);
        rest.len() <= digits.len() + 1
            && (2..=3).contains(&digits.len())
            && digits.bytes().all(|b| b.is_ascii_digit())
    });
    if plausible {
        return Ok(());
    }
    Err(InputError::new(
        InputErrorKind::Option,
        name,
        format!("`{arch}` is not an NVIDIA architecture"),
        "architectures look like `sm_80`, `sm_90a`",
    ))
}
