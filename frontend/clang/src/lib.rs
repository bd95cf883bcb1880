//! clang as a library: compiles kernels inside the process that checks them.
//!
//! Starting `clang-22` costs 20 ms, most of it relocating two shared libraries; compiling a kernel
//! costs 3 ms. A check that should cost a fraction of a compilation cannot start a compiler. So
//! this crate links clang, statically, keeps the built-in CUDA headers precompiled in the binary,
//! and writes no file at all.
//!
//! [`Embedded`] is a [`Compiler`]: it calls the compiler proper, and for a toolkit, or for
//! arguments beyond include paths and macros, clang's driver before it, which takes as long again.
//! It leaves to [`ClangProcess`]: a clang that `HEDDLE_CLANG` names, a system without clang's
//! headers, a path that is no text.
//!
//! **Promises**: the IR is the same as that of [`ClangProcess`] (a test compares them), and says
//! what launches the source has; a crash of clang is an error message. **Does not**: run passes.

use std::ffi::{CString, c_char, c_int};
use std::path::{Path, PathBuf};

use heddle_frontend::InputError;
use heddle_frontend::compile::{
    ClangProcess, CompileOptions, Compiled, Compiler, OpenClTarget, Request, Source, command_line,
    compile_error, headers,
};

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

/// Compiles in this process where it can.
#[derive(Clone, Copy, Debug, Default)]
pub struct Embedded;

impl Compiler for Embedded {
    fn compile(&self, request: &Request<'_>) -> Result<Compiled, InputError> {
        let arguments = match is_at_hand(request) {
            true => arguments(request).or_else(|| for_driver(request)),
            false => None,
        };
        match arguments {
            Some(arguments) => run(request, &arguments),
            None => ClangProcess.compile(request),
        }
    }
}

/// What clang is called with.
enum Arguments {
    /// The compiler proper, and the precompiled header that it uses.
    Proper(Vec<String>, Option<&'static [u8]>),
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
    if options.cuda_path.is_some() {
        return None;
    }
    let extra = plain_arguments(options)?;
    let mut arguments;
    let mut precompiled = None;
    match request.language {
        Source::Cuda => {
            arguments = cuda_arguments(&options.arch, RESOURCES);
            // The header is good for the language that it was compiled in.
            let is_default = !extra.iter().any(|it| it.starts_with(STANDARD));
            let fitting = |(arch, _): &&(&str, _)| is_default && *arch == options.arch;
            precompiled = PRECOMPILED.iter().find(fitting).map(|(_, bytes)| *bytes);
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
            arguments.extend([format!("-cl-std={}", options.opencl_std)]);
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

/// The include path of the newest libstdc++ and of the C library, where Linux distributions put
/// them.
fn standard_library() -> Option<Vec<String>> {
    let multiarch = format!("{}-linux-gnu", std::env::consts::ARCH);
    let newest = std::fs::read_dir("/usr/include/c++")
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

/// The files of the shim's list, without those that are in memory.
fn files_on_disk(read: &[u8], request: &Request<'_>) -> Option<Vec<PathBuf>> {
    let here = match &request.options.directory {
        Some(directory) => directory.clone(),
        None => std::env::current_dir().ok()?,
    };
    let names = std::str::from_utf8(read).ok()?.split('\0').filter(|name| !name.is_empty());
    let files = names.map(|name| here.join(name)).filter(|path| !path.starts_with(HEADERS));
    Some(files.collect())
}

#[repr(C)]
struct File {
    path: *const c_char,
    data: *const u8,
    size: usize,
    binary: c_int,
}

#[repr(C)]
struct Text {
    data: *mut u8,
    size: usize,
}

#[allow(unsafe_code, reason = "the shim is a C interface")]
mod shim {
    use super::{File, Text, c_char, c_int};

    unsafe extern "C" {
        pub(super) fn heddle_clang_compile(
            arguments: *const *const c_char,
            count: usize,
            command_line: c_int,
            files: *const File,
            file_count: usize,
            directory: *const c_char,
            color: c_int,
            bitcode: *mut Text,
            messages: *mut Text,
            read: *mut Text,
        ) -> c_int;
        pub(super) fn heddle_clang_free(text: Text);
    }

    /// Copies a text of the shim out and frees it.
    pub(super) fn taken(text: Text) -> Vec<u8> {
        if text.data.is_null() {
            return Vec::new();
        }
        // SAFETY: the shim gives `size` bytes, which are freed once, here.
        unsafe {
            let bytes = std::slice::from_raw_parts(text.data, text.size).to_vec();
            heddle_clang_free(text);
            bytes
        }
    }
}

#[allow(unsafe_code, reason = "the call into the shim")]
fn run(request: &Request<'_>, arguments: &Arguments) -> Result<Compiled, InputError> {
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
    let (arguments, precompiled, tail) = match arguments {
        Arguments::Proper(arguments, precompiled) => {
            let tail = vec!["-main-file-name", &main_file, "-x", language, &source];
            (arguments, *precompiled, tail)
        }
        Arguments::Driver(arguments) => (arguments, None, vec!["--", source.as_str()]),
    };
    // No argument can hold a NUL byte: they come from the command line and from paths.
    let arguments: Vec<CString> = arguments
        .iter()
        .map(String::as_str)
        .chain(tail)
        .filter_map(|a| CString::new(a).ok())
        .collect();
    let pointers: Vec<*const c_char> = arguments.iter().map(|a| a.as_ptr()).collect();

    let mut names: Vec<(CString, &[u8], bool)> = Vec::new();
    let mut add = |path: String, bytes, binary| {
        names.extend(CString::new(path).ok().map(|path| (path, bytes, binary)))
    };
    for (name, text) in headers::ALL {
        let is_cuda = request.language == Source::Cuda && request.options.cuda_path.is_none();
        if is_cuda || *name == headers::ANNOTATIONS {
            add(format!("{HEADERS}/{name}"), text.as_bytes(), false);
        }
    }
    if let Some(bytes) = precompiled {
        add(format!("{HEADERS}/device.pch"), bytes, true);
    }
    if request.path.is_none() {
        add(source.clone(), request.text, false);
    }
    let files: Vec<File> = names
        .iter()
        .map(|(path, bytes, binary)| File {
            path: path.as_ptr(),
            data: bytes.as_ptr(),
            size: bytes.len(),
            binary: c_int::from(*binary),
        })
        .collect();

    let directory = request
        .options
        .directory
        .as_ref()
        .and_then(|directory| CString::new(directory.as_os_str().as_encoded_bytes()).ok());

    let none = || Text { data: std::ptr::null_mut(), size: 0 };
    let (mut bitcode, mut messages, mut read) = (none(), none(), none());
    // SAFETY: all pointers live until the call returns; the three texts are taken over below. Calls
    // may overlap.
    let status = unsafe {
        shim::heddle_clang_compile(
            pointers.as_ptr(),
            pointers.len(),
            c_int::from(is_command_line),
            files.as_ptr(),
            files.len(),
            directory.as_ref().map_or(std::ptr::null(), |it| it.as_ptr()),
            c_int::from(request.options.color),
            &raw mut bitcode,
            &raw mut messages,
            &raw mut read,
        )
    };
    let bytes = shim::taken(bitcode);
    let text = String::from_utf8_lossy(&shim::taken(messages)).into_owned();
    let read = shim::taken(read);
    if status == 0 && !bytes.is_empty() {
        let files = request.options.list_files.then(|| files_on_disk(&read, request));
        Ok(Compiled { bytes, warnings: text, files: files.flatten(), is_own: false })
    } else {
        Err(compile_error(request, text, Some(status)))
    }
}
