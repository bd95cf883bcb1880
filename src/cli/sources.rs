//! The files named on the command line, and how they are compiled.
//!
//! **Promises**: each file is one source, however often it is named. **Does not**: read files but
//! standard input.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, ValueEnum};
use heddle_diagnostics::destination::Destination;
use heddle_diagnostics::render::clean;
use heddle_driver::Source;
use heddle_driver::config::Config;
use heddle_frontend::CompileOptions;
use heddle_frontend::compile::OpenClTarget;

#[derive(Args, Debug)]
#[command(next_help_heading = "Input")]
pub(super) struct SourceArgs {
    /// `.cu`, `.cl`, `.ll`, `.bc`, `.ptx` or `.mlir` files; `-` is standard input
    #[arg(value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
    /// Take these kernels only, by source name or symbol; `*` and `?` stand for other characters
    /// (repeatable)
    #[arg(long = "kernel", value_name = "NAME")]
    pub(super) kernels: Vec<String>,
    /// Compile CUDA for this NVIDIA architecture [default: sm_80, or what the build's command says]
    #[arg(long, value_name = "sm_XX")]
    pub(super) arch: Option<String>,
    /// Compile CUDA against this toolkit instead of the built-in headers
    #[arg(long, value_name = "DIR")]
    cuda_path: Option<PathBuf>,
    /// Compile OpenCL for this target
    #[arg(long, value_name = "TARGET", default_value = "spirv64")]
    target: TargetChoice,
    /// Arguments for clang, after `--`
    #[arg(last = true, value_name = "CLANG ARGS")]
    clang_args: Vec<OsString>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TargetChoice {
    Spirv64,
    Nvptx64,
}

impl SourceArgs {
    /// Adds what a project's file says. The architecture is for files alone: a project's commands
    /// name theirs.
    pub(super) fn under(&mut self, config: &Config, is_project: bool) {
        let Config { arch, cuda_path, clang_args, .. } = config;
        if !is_project {
            self.arch = self.arch.take().or_else(|| arch.clone());
        }
        self.cuda_path = self.cuda_path.take().or_else(|| cuda_path.clone());
        self.clang_args.splice(0..0, clang_args.iter().map(OsString::from));
    }

    pub(super) fn compile_options(&self) -> CompileOptions {
        let defaults = CompileOptions::default();
        CompileOptions {
            arch: self.arch.clone().unwrap_or(defaults.arch),
            cuda_path: self.cuda_path.clone(),
            clang_args: self.clang_args.clone(),
            opencl_target: match self.target {
                TargetChoice::Spirv64 => OpenClTarget::Spirv64,
                TargetChoice::Nvptx64 => OpenClTarget::Nvptx64,
            },
            ..defaults
        }
    }
}

/// What clang warned about, as it said it.
pub(super) fn pass_on(warnings: &[String]) {
    for text in warnings {
        let _unheard = writeln!(io::stderr(), "{}", clean(text.trim_end()));
    }
}

/// What makes two names one source: the same file in one folder, of the same kind. In another
/// folder its text may include other files.
fn place(path: &Path) -> Option<(Destination, PathBuf, Option<OsString>)> {
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let kind = path.extension().map(OsStr::to_owned);
    Some((Destination::of(path)?, folder.canonicalize().ok()?, kind))
}

/// The files named on the command line, each once, by whichever of its names it was named first;
/// standard input is read here.
pub(super) fn sources(arguments: &SourceArgs) -> anyhow::Result<Vec<Source>> {
    let (mut sources, mut named) = (Vec::new(), HashSet::new());
    for path in &arguments.files {
        if place(path).is_some_and(|it| !named.insert(it)) {
            continue;
        }
        if path == Path::new("-") {
            let mut bytes = Vec::new();
            io::stdin().lock().read_to_end(&mut bytes).context("standard input cannot be read")?;
            sources.push(Source::Text { name: "<stdin>".to_owned(), bytes, language: None });
        } else {
            sources.push(Source::File(path.clone()));
        }
    }
    Ok(sources)
}
