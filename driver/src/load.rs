//! From a source to the kernels in it, lifted and verified.

use std::collections::BTreeMap;
use std::path::PathBuf;

use heddle_diagnostics::{Code, FileId, Finding, KernelReport, SourceMap};
use heddle_frontend::compile::{Compiled, Compiler, Reads, host_ir, to_ir, way_out_of_host};
use heddle_frontend::host::{self, HostLaunch, Launches, Wanted};
use heddle_frontend::{CompileOptions, InputError, InputErrorKind, Prepared};
use heddle_ir::Kernel;

use super::fault::{guarded, missing, of_input, unanswered};
use super::ir_lines::give_lines;
use super::limits;
use super::names;
use super::options::{CheckOptions, Host};
use super::source::Source;
use super::visible::Visible;

/// What a source holds.
pub(super) struct Loaded {
    /// Its kernels, in text order.
    pub(super) kernels: Vec<Lifted>,
    /// What clang warned about, in its own words.
    pub(super) warnings: String,
    /// The files that were read as source.
    pub(super) files: Vec<PathBuf>,
    /// What was asked of the file system, if the compiler says.
    pub(super) reads: Option<Reads>,
    /// The names that were looked up, as far as the compiler says, and whether there was something.
    pub(super) looked_up: BTreeMap<PathBuf, bool>,
}

/// One kernel of a source.
pub(super) struct Lifted {
    pub(super) kernel: Kernel,
    /// The index of its source in the run; set once all sources are read.
    pub(super) source: usize,
    /// The file it was read from.
    pub(super) module: FileId,
    /// Why it cannot be checked, where lifting it failed: the kernel then has nothing but its
    /// names.
    pub(super) fault: Option<Fault>,
    /// Its launches in the host's part of the source, if they were asked for; those that say that
    /// there are others are not all.
    pub(super) launches: Vec<HostLaunch>,
    /// How many kernels are asked for of its source, this one among them.
    pub(super) of_source: usize,
}

impl Lifted {
    /// What options are fitted to.
    pub(super) fn parts(&mut self) -> (&mut Kernel, &[HostLaunch]) {
        (&mut self.kernel, &self.launches)
    }

    /// Whether one of these patterns means it, or there are none.
    pub(super) fn is_asked_for(&self, patterns: &[String]) -> bool {
        let (symbol, name) = (&self.kernel.name, &self.kernel.display_name);
        patterns.is_empty() || patterns.iter().any(|it| names::means(it, symbol, name))
    }

    /// The same, as a kernel of the source with this index.
    pub(super) fn copy(&self, source: usize) -> Lifted {
        let Lifted { kernel, source: _, module, fault, launches, of_source } = self;
        Lifted {
            kernel: kernel.clone(),
            source,
            module: *module,
            fault: fault.clone(),
            launches: launches.clone(),
            of_source: *of_source,
        }
    }
}

/// Why there is nothing to check of a kernel.
#[derive(Clone)]
pub(super) enum Fault {
    /// Something went wrong, by our own fault.
    Ours {
        /// What.
        what: String,
        /// What it said.
        detail: String,
    },
    /// The source has it, and the module does not.
    Missing,
}

impl Fault {
    pub(super) fn report(&self, kernel: &Kernel, selected: &[String]) -> KernelReport {
        let (name, symbol) = (&kernel.display_name, &kernel.name);
        match self {
            Fault::Ours { what, detail } => unanswered(name, symbol, selected, what, detail),
            Fault::Missing => missing(name, symbol, selected),
        }
    }
}

/// Compiles, prepares, lifts and verifies.
///
/// # Errors
/// The finding that says why there is no kernel to check.
pub(super) fn load(
    source: &Source,
    options: &CheckOptions,
    compiler: &dyn Compiler,
    sources: &SourceMap,
) -> Result<Loaded, Box<Finding>> {
    let module = source.add_to(sources);
    let mut visible = Visible::of(source, source.compile_options(&options.compile));
    let (allow_missing, asked_for) = (options.allow_missing, &options.kernels);
    let reads_host = options.launch.host == Host::On;
    let options = &visible.embedding(source.compile_options(&options.compile));
    let panicked = |panic: String| Box::new(of_input(&source.name(), &panic));
    let compiled = guarded(|| to_ir(&source.input(), options, compiler)).map_err(panicked)?;
    let mut compiled = compiled.map_err(|error| {
        let mut visible = visible.clone();
        visible.also_in(&error.supplied);
        let output = visible.redacted(&error.output);
        Box::new(bad_input(&InputError { output, ..error }))
    })?;
    let (mut files, mut reads) = (std::mem::take(&mut compiled.files), compiled.reads.take());
    let mut looked_up = BTreeMap::new();
    take_looked_up(&mut looked_up, reads.as_ref());
    // The host's part is compiled with what the device's part was found to need.
    let mut with_supplied = options.clone();
    visible.also_in(&compiled.supplied);
    if let (false, Some(reads)) = (compiled.supplied.is_empty(), &mut reads) {
        // Another file that appears may be the one that is taken then.
        reads.past.get_or_insert_with(|| "what was looked for in its project".to_owned());
    }
    with_supplied.clang_args.append(&mut compiled.supplied);
    let options = &with_supplied;
    let mut warnings = visible.redacted(&compiled.warnings);
    let name = source.input().name();
    let left_out = compiled.left_out.clone();
    let prepared = guarded(|| heddle_frontend::for_lifting(&name, compiled)).map_err(panicked)?;
    let prepared = match prepared {
        Ok(prepared) => prepared,
        // A unit of a project may have device functions and no kernel.
        Err(error)
            if error.kind == InputErrorKind::NoKernels && matches!(source, Source::Unit(_)) =>
        {
            return Ok(Loaded { kernels: Vec::new(), warnings, files, reads, looked_up });
        }
        Err(error) => return Err(Box::new(bad_input(&error))),
    };
    let is_ir = source.is_ir();
    visible.admit(&files, sources);
    let text = source.is_ir_text().then(|| sources.text(module)).flatten();
    let mut kernels = Vec::new();
    for entry in &prepared.kernels {
        let mut lifted = lift(&prepared, entry, module);
        if is_ir {
            // What the debug info names stands for what was read when the module was made.
            let named: Vec<_> = lifted.kernel.files.iter().map(PathBuf::from).collect();
            visible.admit(&named, sources);
            files.extend(named);
        }
        if let Some(text) = &text {
            give_lines(&mut lifted.kernel, &sources.display_path(module), text);
        }
        kernels.push(lifted);
    }
    let input = source.input();
    if host::changes_launches(&prepared.module) {
        kernels.iter_mut().for_each(|it| it.kernel.launch.launches.clear());
    }
    // Not every compiler says what launches there are; then the text does.
    let is_launched =
        || kernels.iter().any(|it| is_launched(&prepared, it)) || host::may_launch(&input);
    if reads_host && !is_ir && is_launched() {
        let compiled =
            guarded(|| host_ir(&input, options, compiler, &left_out)).map_err(panicked)?;
        match compiled {
            Ok(Some(mut compiled)) => {
                visible.tell_read(&compiled.files, sources);
                take_looked_up(&mut looked_up, compiled.reads.as_ref());
                files.extend(compiled.files.iter().cloned());
                reads = reads.zip(compiled.reads.take()).map(|(own, more)| own.and(more));
                guarded(|| read_launches(&prepared, &compiled, &mut kernels)).map_err(panicked)?;
                if !compiled.supplied.is_empty() {
                    warnings += &visible.redacted(&compiled.warnings);
                }
                for Lifted { kernel, launches, .. } in &mut kernels {
                    launches.retain(|at| {
                        let why = limits::fails(kernel, at);
                        let said = why.as_ref().map(|why| format!("warning: {why}\n"));
                        warnings += &visible.redacted(&said.unwrap_or_default());
                        why.is_none()
                    });
                }
            }
            Ok(None) => {}
            // A host's part that does not compile is not read. What it looked for is not known, so
            // that no answer is kept.
            Err(error) => {
                reads = None;
                let first = error.output.lines().find(|it| it.contains("error:"));
                let why = first.map_or(error.message.as_str(), str::trim);
                let help = way_out_of_host(why).map(|it| format!("; {it}")).unwrap_or_default();
                warnings += &visible.redacted(&format!(
                    "warning: the host's part of {name} does not compile, so that none of its launches is read and kernels get any arguments: {why}{help}\n"
                ));
            }
        }
    }
    if !allow_missing {
        kernels.extend(prepared.missing.iter().map(|name| Lifted {
            kernel: nameplate(name, name),
            source: 0,
            module,
            fault: Some(Fault::Missing),
            launches: Vec::new(),
            of_source: 1,
        }));
    }
    let of_source = kernels.iter().filter(|it| it.is_asked_for(asked_for)).count();
    kernels.iter_mut().for_each(|it| it.of_source = of_source);
    Ok(Loaded { kernels, warnings, files, reads, looked_up })
}

fn take_looked_up(all: &mut BTreeMap<PathBuf, bool>, reads: Option<&Reads>) {
    let names = reads.into_iter().flat_map(Reads::looked_up);
    all.extend(names.map(|(path, there)| (path.clone(), there)));
}

/// Compiles and prepares a source to be run or instrumented. The map may show lines of what it was
/// made of, as far as they are anybody's to see.
///
/// # Errors
/// The finding that says why there is nothing to run.
pub(super) fn prepared(
    source: &Source,
    compile: &CompileOptions,
    compiler: &dyn Compiler,
    sources: &SourceMap,
) -> Result<Prepared, Box<Finding>> {
    let compile = source.compile_options(compile);
    let mut visible = Visible::of(source, compile);
    let compile = &visible.embedding(compile);
    match heddle_frontend::load_made(&source.input(), compile, compiler) {
        Ok((prepared, made)) => {
            visible.also_in(&made.supplied);
            visible.admit(&made.files, sources);
            let warnings = visible.redacted(&prepared.warnings);
            Ok(Prepared { warnings, ..prepared })
        }
        Err(error) => {
            visible.also_in(&error.supplied);
            let output = visible.redacted(&error.output);
            Err(Box::new(bad_input(&InputError { output, ..error })))
        }
    }
}

/// Whether the source says anything of a kernel's launches.
fn is_launched(prepared: &Prepared, it: &Lifted) -> bool {
    let function = prepared.module.function(&it.kernel.name);
    it.fault.is_none() && function.is_some_and(|it| it.attribute("heddle.launches").is_some())
}

/// Whether a kernel may be launched where the module of a host that functions were left out of
/// does not have it. What only such a function calls may not be in it either; of a kernel that is
/// started at one place of the text the module has that place, or nothing.
fn may_be_launched_unseen(prepared: &Prepared, it: &Lifted) -> bool {
    let function = prepared.module.function(&it.kernel.name);
    let launches = function.and_then(|it| it.attribute("heddle.launches")?.string_value());
    launches.is_none_or(|it| it == "?\n" || it.lines().count() != 1)
}

/// Gives kernels the launches that the host's part of their source has. The sizes that its text
/// shows are not all where a kernel is started in another way, too; none where any may be.
fn read_launches(prepared: &Prepared, host: &Compiled, kernels: &mut [Lifted]) {
    if host::changes_launches(&prepared.module) {
        return;
    }
    let (mut asked, mut all) = (Vec::new(), Vec::new());
    for (index, it) in kernels.iter().enumerate().filter(|(_, it)| it.fault.is_none()) {
        if !host.left_out.is_empty() && may_be_launched_unseen(prepared, it) {
            continue;
        }
        if let Some(one) = Wanted::of(prepared, &it.kernel) {
            asked.push(index);
            all.push(one);
        }
    }
    for (index, launches) in asked.into_iter().zip(host::launches(host, &all)) {
        match launches {
            Launches::Unread(launches) | Launches::Seen(launches) => {
                kernels[index].launches = launches;
            }
            Launches::Anywhere(launches) => {
                kernels[index].kernel.launch.launches.clear();
                kernels[index].launches = launches;
            }
        }
    }
}

/// An input error as a finding: the message, clang's own words if there are any, the way out.
fn bad_input(error: &InputError) -> Finding {
    let InputError { kind: _, path: _, message: _, help, output, supplied: _ } = error;
    let finding = Finding::new(Code::BadInput, error.to_string());
    let output = output.trim_end();
    let finding = if output.is_empty() { finding } else { finding.note(output) };
    finding.help(help.as_str())
}

fn lift(prepared: &Prepared, entry: &heddle_lift::prepare::Kernel, module: FileId) -> Lifted {
    let lifted = guarded(|| {
        let function =
            prepared.module.function(&entry.name).ok_or("the module lost it".to_owned())?;
        heddle_lift::lift(&prepared.module, function).map_err(|error| error.to_string())
    });
    let what = format!("the kernel `{}` could not be lifted into the predicated IR", entry.display);
    match lifted {
        Ok(Ok(kernel)) => {
            let fault = heddle_ir::verify(&kernel).err().map(|errors| Fault::Ours {
                what: format!(
                    "the kernel `{}` was lifted into IR that breaks its own rules",
                    entry.display
                ),
                detail: errors.first().map(|error| error.to_string()).unwrap_or_default(),
            });
            Lifted { kernel, source: 0, module, fault, launches: Vec::new(), of_source: 1 }
        }
        Ok(Err(detail)) | Err(detail) => Lifted {
            kernel: nameplate(&entry.name, &entry.display),
            source: 0,
            module,
            fault: Some(Fault::Ours { what, detail }),
            launches: Vec::new(),
            of_source: 1,
        },
    }
}

/// A kernel with names and nothing else.
fn nameplate(symbol: &str, display: &str) -> Kernel {
    let target = heddle_ir::Target {
        family: heddle_ir::Family::Nvptx,
        sm: 0,
        warp_size: 0,
        opencl: false,
        flushes: false,
    };
    let mut builder = heddle_ir::KernelBuilder::new(symbol, target);
    display.clone_into(&mut builder.kernel_mut().display_name);
    builder.finish()
}
