//! A whole project: the device translation units of a compilation database, each with the
//! compilation of its own.
//!
//! ```text
//! compile_commands.json ── database ──► entries ── command (nvcc | clang) ──► units ──► crate::check
//! ```
//!
//! - A unit is one file in one device compilation. Files that are compiled for the host alone are
//!   counted, not read.
//! - Of several architectures in a command the highest is compiled, or each with [`Archs::Each`].
//! - CUDA is read against the built-in headers unless a toolkit is given; a toolkit's folders in a
//!   command go.
//! - Relative paths belong to the command's `directory`.
//!
//! **Promises**: the same database gives the same units in the same order, each once. A command
//! that cannot be read is a finding HD0901 and stops no other. **Does not**: build anything:
//! headers that the build generates must be there.

pub(crate) mod allowed;
mod clang;
mod command;
mod compilation;
mod database;
mod nvcc;
mod nvcc_options;
mod shard;
mod words;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use heddle_diagnostics::{Code, Finding, Scope};
use heddle_frontend::{CompileOptions, Language};

pub use allowed::NOT_ALLOWED;
pub use shard::Shard;

use crate::home::of_build;
use crate::source::{Source, Unit};
use compilation::{Compilation, Meaning, highest};
use database::Entry;

/// What is taken from a database, and how it is compiled.
#[derive(Clone, Debug)]
pub struct ProjectOptions {
    /// The database, or the folder that has it.
    pub database: PathBuf,
    /// Only the units of these files; all if empty.
    pub files: Vec<PathBuf>,
    /// Which architectures.
    pub archs: Archs,
    /// What holds for all units: the toolkit, arguments after those of the commands, the OpenCL
    /// target. The architecture in it is for commands that name none.
    pub compile: CompileOptions,
    /// The part of the units to take; all if none.
    pub shard: Option<Shard>,
}

/// Which of a command's architectures are compiled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Archs {
    /// The highest.
    #[default]
    Highest,
    /// Each, as a unit of its own.
    Each,
    /// This one, whatever the command says.
    Only(String),
}

/// The units of a project.
#[derive(Clone, Debug)]
pub struct Project {
    /// By path, then by arguments.
    pub units: Vec<Unit>,
    /// What was taken and what was not.
    pub scope: Scope,
    /// What could not be read.
    pub findings: Vec<Finding>,
    /// The file that was read.
    pub database: PathBuf,
}

impl Project {
    /// Reads the database. What is wrong with it is among the findings.
    pub fn read(options: &ProjectOptions) -> Project {
        let path = database::locate(&options.database);
        let mut project = Project {
            units: Vec::new(),
            scope: Scope::default(),
            findings: Vec::new(),
            database: path.clone(),
        };
        match database::read(&path) {
            Ok(entries) => project.take(entries, options, &path),
            Err(finding) => project.findings.push(*finding),
        }
        project
    }

    /// Options that a project may not give, each once, with the number of units that had it.
    pub fn not_allowed(&self) -> BTreeMap<&str, usize> {
        let mut found = BTreeMap::new();
        let dropped = self.units.iter().flat_map(|unit| &unit.dropped);
        for it in dropped.filter(|it| it.reason == NOT_ALLOWED) {
            *found.entry(it.argument.as_str()).or_default() += 1;
        }
        found
    }

    /// The files that are read for it: the database and the sources of its units.
    pub fn inputs(&self) -> Vec<PathBuf> {
        let sources = self.units.iter().map(|unit| &unit.path);
        [&self.database].into_iter().chain(sources).cloned().collect()
    }

    /// The units as sources.
    pub fn sources(&self) -> Vec<Source> {
        self.units.iter().map(|unit| Source::Unit(Box::new(unit.clone()))).collect()
    }

    fn take(
        &mut self,
        entries: Vec<Result<Entry, Box<Finding>>>,
        options: &ProjectOptions,
        database: &Path,
    ) {
        let wanted: Vec<PathBuf> = options.files.iter().map(|it| plain(it)).collect();
        let mut met = vec![false; wanted.len()];
        let folders = of_build(database);
        for entry in entries {
            let entry = match entry {
                Ok(entry) => entry,
                Err(finding) => {
                    self.findings.push(*finding);
                    continue;
                }
            };
            let file = plain(&entry.file);
            let named = wanted.iter().position(|it| *it == file);
            if let Some(index) = named {
                met[index] = true;
            } else if !wanted.is_empty() {
                continue;
            }
            match command::read(&entry, &folders) {
                Ok(Meaning::Host) => self.scope.host_units += 1,
                Ok(Meaning::Foreign(language)) => {
                    *self.scope.foreign_units.entry(language.to_owned()).or_default() += 1;
                }
                Ok(Meaning::Device(_)) if !entry.directory.is_dir() => {
                    let folder = entry.directory.display();
                    let why =
                        format!("its folder `{folder}` is not there; configure the project first");
                    self.findings.push(refused(&file, &why));
                }
                Ok(Meaning::Device(compilation)) => {
                    self.units.extend(units(&entry.directory, &file, compilation, options));
                }
                Err(why) => self.findings.push(refused(&file, &why)),
            }
        }
        for (file, _) in options.files.iter().zip(met).filter(|(_, met)| !met) {
            let message = format!(
                "{}: the compilation database {} has no command for this file",
                file.display(),
                database.display()
            );
            self.findings.push(
                Finding::new(Code::BadInput, message)
                    .help("configure the project again, or check the file alone: `heddle check <file> -- <arguments>`"),
            );
        }
        self.units.sort_by(|a, b| a.order().cmp(&b.order()));
        self.units.dedup_by(|a, b| a.compile == b.compile && a.path == b.path);
        self.scope.identity = shard::identity(&self.units);
        if let Some(shard) = options.shard {
            self.units = shard.part(std::mem::take(&mut self.units));
            self.scope.shard = Some((shard.index, shard.count));
        }
        self.scope.units = self.units.iter().map(|unit| unit.shown.clone()).collect();
    }
}

/// The units of one command: one, or one for each architecture.
fn units(
    directory: &Path,
    file: &Path,
    compilation: Compilation,
    options: &ProjectOptions,
) -> Vec<Unit> {
    let Compilation { opencl, archs, arguments, dropped } = compilation;
    let named = match &options.archs {
        Archs::Only(arch) => vec![arch.clone()],
        Archs::Highest => highest(&archs).into_iter().cloned().collect(),
        Archs::Each => archs,
    };
    // What compiles for no NVIDIA architecture, and what names none.
    let named = match (&opencl, named.is_empty()) {
        (None, false) => named,
        (Some(_), _) | (None, true) => vec![options.compile.arch.clone()],
    };
    let mut compile = options.compile.clone();
    compile.directory = Some(directory.to_owned());
    compile.clang_args.splice(0..0, arguments.into_iter().map(Into::into));
    let language = match opencl {
        None => Language::Cuda,
        Some(said) => {
            compile.opencl_std = said.std.unwrap_or(compile.opencl_std);
            compile.opencl_target = said.target.unwrap_or(compile.opencl_target);
            Language::OpenCl
        }
    };
    let unit = |arch| Unit {
        path: file.to_owned(),
        shown: shown(file),
        language,
        compile: CompileOptions { arch, ..compile.clone() },
        dropped: dropped.clone(),
    };
    named.into_iter().map(unit).collect()
}

fn refused(file: &Path, why: &str) -> Finding {
    let message = format!("{}: the command that compiles this cannot be read: {why}", shown(file));
    Finding::new(Code::BadInput, message)
        .help("check the file alone, with the arguments that it needs: `heddle check <file> -- <arguments for clang>`")
}

/// Absolute, without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    heddle_diagnostics::source::normalise(&absolute)
}

/// Relative to the current folder where it is inside.
fn shown(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(&here).unwrap_or(path).display().to_string()
}
