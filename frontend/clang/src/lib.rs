//! clang as a library: compiles kernels inside the process that checks them.
//!
//! Starting `clang-22` costs 20 ms, most of it relocating two shared libraries; compiling a kernel
//! costs 3 ms. A check that should cost a fraction of a compilation cannot start a compiler. So
//! this crate links clang, statically, keeps the built-in CUDA headers precompiled in the binary,
//! and writes no file at all.
//!
//! [`Embedded`] is a [`Compiler`], and [`Guarded`] one that survives what clang does not: each
//! calls the compiler proper, and for a toolkit, or for arguments beyond include paths and macros,
//! clang's driver before it, which takes as long again. It leaves to [`ClangProcess`]: a clang that
//! `HEDDLE_CLANG` names, a system without clang's headers, a path that is no text.
//!
//! **Promises**: the IR is the same as that of [`ClangProcess`] (a test compares them), and says
//! what launches the source has; a crash of clang is an error message (in this process unless it is
//! out of stack on one of clang's own threads; in a worker always); what clang asked of the file
//! system is recorded, hits and misses. **Does not**: run passes.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use heddle_frontend::InputError;
use heddle_frontend::compile::{
    Broken, ClangProcess, CompileOptions, Compiled, Compiler, OPENCL_VERSION, OpenClTarget, Reads,
    Request, Side, Source, command_line, compile_error, headers, stopped, toolkit,
};

mod call;
pub mod worker;

use call::{Answer, Call};
use worker::Ended;

include!("arguments.rs");

/// clang's own headers, as installed where this was built.
const RESOURCES: &str = env!("HEDDLE_CLANG_RESOURCES");

macro_rules! with_header {
    ($($arch:literal),*) => {
        &[$(($arch, include_bytes!(concat!(env!("OUT_DIR"), "/", $arch, ".pch")))),*]
    };
}

/// The precompiled headers by architecture.
const PRECOMPILED: &[(&str, &[u8])] = precompiled!(with_header);

/// Compiles in this process where it can. A source that brings clang down may take those with it
/// that are compiled in this process at the same time ([`Workers`] do not).
#[derive(Clone, Copy, Debug, Default)]
pub struct Embedded;

impl Compiler for Embedded {
    fn compile(&self, request: &Request<'_>) -> Result<Compiled, InputError> {
        match call(request) {
            Some(call) => compiled(request, call.here()),
            None => ClangProcess.compile(request),
        }
    }
}

/// What the binary compiles with: in this process for a run over one source, and in processes of
/// their own ([`Workers`]) for a run over several, of which one must not end the others.
///
/// Whoever uses it starts [`worker::serve`] where [`worker::is_asked`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Guarded;

impl Compiler for Guarded {
    fn compile(&self, request: &Request<'_>) -> Result<Compiled, InputError> {
        match call(request) {
            Some(call) => compiled(request, call.alone()),
            None => ClangProcess.compile(request),
        }
    }

    fn for_several(&self) -> Option<&dyn Compiler> {
        Some(&Workers)
    }
}

/// Compiles each source in a process of its own, with limits ([`worker`]).
#[derive(Clone, Copy, Debug, Default)]
pub struct Workers;

impl Compiler for Workers {
    fn compile(&self, request: &Request<'_>) -> Result<Compiled, InputError> {
        let Some(call) = call(request) else { return ClangProcess.compile(request) };
        match worker::apart(&call) {
            Ok(answer) => compiled(request, answer),
            Err(Ended { what, help }) => Err(stopped(request, &what, help)),
        }
    }
}

/// The call for a request; none where the clang in this binary is not the one to use.
fn call(request: &Request<'_>) -> Option<Call> {
    if !is_at_hand(request) {
        return None;
    }
    let arguments = arguments(request).or_else(|| for_driver(request))?;
    Some(call_of(request, arguments))
}

/// What clang is called with.
enum Arguments {
    /// The compiler proper, and the architecture whose precompiled header it uses.
    Proper(Vec<String>, Option<&'static str>),
    /// Clang's driver, which makes arguments for the compiler proper of these.
    Driver(Vec<String>),
}

/// Whether the clang in this binary is the one to use.
fn is_at_hand(request: &Request<'_>) -> bool {
    let named = std::env::var_os("HEDDLE_CLANG").is_some_and(|v| !v.is_empty());
    let resources = Path::new(RESOURCES).join("include").is_dir();
    // A path that is no text stays with the process, which reads the text from its standard input.
    !named && resources && request.path.is_none_or(|path| path.to_str().is_some())
}

/// What clang's driver understands, whatever it is.
fn for_driver(request: &Request<'_>) -> Option<Arguments> {
    let mut arguments =
        vec!["clang-22".to_owned(), "-resource-dir".to_owned(), RESOURCES.to_owned()];
    for argument in command_line(request, Path::new(HEADERS)) {
        arguments.push(argument.into_string().ok()?);
    }
    Some(Arguments::Driver(arguments))
}

/// Arguments for the compiler proper; `None` for what only the driver can do.
fn arguments(request: &Request<'_>) -> Option<Arguments> {
    let options = request.options;
    if options.cuda_path.is_some() || request.side == Side::Host {
        return None;
    }
    let extra = plain_arguments(options)?;
    let mut arguments;
    let mut precompiled = None;
    match request.language {
        Source::Cuda => {
            arguments = cuda_arguments(&options.arch, RESOURCES);
            // The header is good for the language that it was compiled in, and with its own names.
            let own = format!("-D{}", headers::OWN_INTEGER);
            let is_default =
                !extra.iter().any(|it| it.starts_with(STANDARD) || it.starts_with(&own));
            let fitting = |(arch, _): &&(&str, _)| is_default && *arch == options.arch;
            precompiled = PRECOMPILED.iter().find(fitting).map(|(arch, _)| *arch);
            arguments.extend(standard_library()?);
            arguments.extend(["-idirafter".to_owned(), HEADERS.to_owned()]);
            arguments.extend(match precompiled {
                Some(_) => ["-include-pch".to_owned(), format!("{HEADERS}/device.pch")],
                None => ["-include".to_owned(), format!("{HEADERS}/{}", headers::PRELUDE)],
            });
        }
        Source::OpenCl => {
            arguments = common_arguments(RESOURCES);
            arguments.extend(["-triple".to_owned(), options.opencl_target.triple().to_owned()]);
            if options.opencl_target == OpenClTarget::Nvptx64 {
                arguments.extend(
                    ["-target-cpu", &options.arch, "-target-feature", "+ptx88"].map(str::to_owned),
                );
            }
            arguments.push(format!("-cl-std={}", options.opencl_std));
            arguments.push(OPENCL_VERSION.to_owned());
            arguments.extend(
                ["-finclude-default-header", "-fdeclare-opencl-builtins"].map(str::to_owned),
            );
            arguments.extend(["-idirafter".to_owned(), HEADERS.to_owned()]);
        }
    }
    let here = match &options.directory {
        Some(directory) => directory.clone(),
        None => std::env::current_dir().ok()?,
    };
    arguments.push(format!("-fdebug-compilation-dir={}", here.display()));
    arguments.push("-emit-llvm-bc".to_owned());
    if options.color {
        arguments.push("-fcolor-diagnostics".to_owned());
    }
    arguments.extend(extra);
    Some(Arguments::Proper(arguments, precompiled))
}

/// The options that mean the same to the compiler proper as to the driver, all with a value.
const PLAIN: [&str; 7] = ["-I", "-D", "-U", "-isystem", "-iquote", "-idirafter", "-include"];

/// The option for the language's edition.
const STANDARD: &str = "-std=";

/// The user's arguments, when all of them are plain.
fn plain_arguments(options: &CompileOptions) -> Option<Vec<String>> {
    let mut plain = Vec::new();
    let mut given = options.clang_args.iter();
    while let Some(argument) = given.next() {
        let argument = argument.to_str()?;
        // `-include-pch` and its like are other options.
        if argument.starts_with("-include") && argument != "-include" {
            return None;
        }
        if argument.starts_with(STANDARD) {
            plain.push(argument.to_owned());
            continue;
        }
        let flag = PLAIN.into_iter().find(|f| argument.starts_with(f))?;
        plain.push(argument.to_owned());
        if argument == flag {
            plain.push(given.next()?.to_str()?.to_owned());
        }
    }
    Some(plain)
}

/// The folder with a folder for each version of libstdc++.
const STANDARD_LIBRARIES: &str = "/usr/include/c++";

/// The include path of the newest libstdc++ and of the C library, where Linux distributions put
/// them.
fn standard_library() -> Option<Vec<String>> {
    let multiarch = format!("{}-linux-gnu", std::env::consts::ARCH);
    let newest = std::fs::read_dir(STANDARD_LIBRARIES)
        .ok()
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok())
        .max();
    let mut system = Vec::new();
    if let Some(version) = newest {
        system.push(format!("/usr/include/c++/{version}"));
        system.push(format!("/usr/include/{multiarch}/c++/{version}"));
        system.push(format!("/usr/include/c++/{version}/backward"));
    }
    system.push(format!("{RESOURCES}/include"));
    system.push("/usr/local/include".to_owned());
    let c = [format!("/usr/include/{multiarch}"), "/include".to_owned(), "/usr/include".to_owned()];
    let plain = system.into_iter().flat_map(|path| ["-internal-isystem".to_owned(), path]);
    let extern_c = c.into_iter().flat_map(|path| ["-internal-externc-isystem".to_owned(), path]);
    Some(plain.chain(extern_c).collect())
}

/// The shim's record: the files read as source, without those in memory, and all that was asked.
fn recorded(read: &[u8], request: &Request<'_>) -> (Vec<PathBuf>, Option<Reads>) {
    let here = match &request.options.directory {
        Some(directory) => Some(directory.clone()),
        None => std::env::current_dir().ok(),
    };
    let Some(here) = here else { return (Vec::new(), None) };
    let (mut sources, mut reads) = (Vec::new(), Reads::default());
    for entry in read.split(|byte| *byte == 0) {
        let Some((letter, name)) = entry.split_first() else { continue };
        let path = || here.join(OsStr::from_bytes(name));
        match letter {
            b'S' => sources.push(path()),
            b'R' => reads.files.push(path()),
            b'F' => reads.seen.push(path()),
            b'D' => reads.folders.push(path()),
            b'L' => reads.listed.push(path()),
            b'M' => reads.absent.push(path()),
            _ => reads.past = Some(String::from_utf8_lossy(name).into_owned()),
        }
    }
    // What is asked before clang is.
    reads.ask_entries(STANDARD_LIBRARIES.into());
    if let Some(toolkit) = &request.options.cuda_path {
        toolkit::ASKED.iter().for_each(|name| reads.ask_content(toolkit.join(name)));
    }
    sources.retain(|path| !path.starts_with(HEADERS));
    (sources, Some(reads))
}

/// What the shim is called with for a request.
fn call_of(request: &Request<'_>, arguments: Arguments) -> Call {
    // A source in memory stands in a file of its name, next to which `#include \"x.h\"` looks.
    let source = match request.path {
        Some(path) => path.display().to_string(),
        None if request.name == "-" => "<stdin>".to_owned(),
        None => request.name.to_owned(),
    };
    let main_file = Path::new(&source)
        .file_name()
        .map_or_else(|| source.clone(), |n| n.to_string_lossy().into_owned());
    let language = match request.language {
        Source::Cuda => "cuda",
        Source::OpenCl => "cl",
    };
    let is_command_line = matches!(arguments, Arguments::Driver(_));
    let (mut arguments, precompiled, tail) = match arguments {
        Arguments::Proper(arguments, precompiled) => {
            let tail = vec!["-main-file-name", &main_file, "-x", language, &source];
            (arguments, precompiled, tail)
        }
        Arguments::Driver(arguments) => (arguments, None, vec!["--", source.as_str()]),
    };
    arguments.extend(tail.into_iter().map(str::to_owned));
    let in_memory = request.path.is_none().then(|| (source.clone(), request.text.to_vec()));
    Call {
        arguments,
        is_command_line,
        leaves_out: request.broken == Broken::LeftOut,
        all_headers: request.language == Source::Cuda && request.options.cuda_path.is_none(),
        precompiled: precompiled.map(str::to_owned),
        in_memory,
        directory: request.options.directory.clone(),
        embeds: request.options.embeds.clone(),
        color: request.options.color,
    }
}

/// The answer of the shim, as the front end wants it.
fn compiled(request: &Request<'_>, answer: Answer) -> Result<Compiled, InputError> {
    let Answer { status, bitcode: bytes, messages, read } = answer;
    let text = String::from_utf8_lossy(&messages).into_owned();
    if status == 0 && !bytes.is_empty() {
        let (files, reads) = recorded(&read, request);
        let supplied = Vec::new();
        // As `shim.cpp` says it.
        let is_left_out = |line: &&str| {
            line.starts_with("warning: `") && line.contains("` does not compile, so that it, ")
        };
        let left_out = text.lines().filter(is_left_out).map(str::to_owned).collect();
        Ok(Compiled { bytes, warnings: text, files, reads, supplied, left_out, is_own: false })
    } else {
        Err(compile_error(request, text, Some(status)))
    }
}
