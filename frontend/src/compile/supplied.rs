//! What a file needs of its project and no option says: a folder of headers, a macro.
//!
//! The build of a project names folders of headers (`-I`) and macros (`-DUSE_CUDA`). Whoever
//! checks one file of it may not know them. Where clang's errors show that one of these is all
//! that is missing, it is looked for in the project, and the file is compiled again ([`compile`]).
//! A warning says what was supplied, and from where.
//!
//! - `'util.h' file not found`: the folder of the one file of that name ([`folders`]).
//! - `use of undeclared identifier 'BLOCK'`, where a header defines `BLOCK` under `#ifdef GPU` and
//!   nothing defines `GPU`; and a source without a kernel, all kernels of which stand under such a
//!   line: that macro, as 1 ([`macros`]).
//!
//! - `use of undeclared identifier 'hash'` in OpenCL C, where one other file without a kernel has
//!   it: that file is read before the source ([`siblings`]), if all compiles then.
//!
//! **Sound because** what is checked is the program with these options, which the warning names.
//! Nothing is supplied to a source that compiles and has a kernel, nor to a unit of a build, whose
//! command says what it is compiled with.
//!
//! **Does not**: choose between files of one name and other contents where none of them stands in
//! the obvious place (the message names them), give a macro another value than 1, look outside of
//! the project, follow links.

mod folders;
mod macros;
mod siblings;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::errors::undeclared;
use super::{CompileOptions, Compiled, Compiler, Request, Source, flags};
use crate::InputError;
use folders::Found;

/// How often something is supplied at most.
const ROUNDS: usize = 24;

/// How many folders are named where there is a choice.
const SHOWN: usize = 4;

/// How many macros are tried for one list of errors.
const TRIED: usize = 4;

/// Compiles a source, with what its project says of it elsewhere.
///
/// # Errors
/// Those of the compiler for the source as far as it was supplied.
pub(super) fn compile(
    request: &Request<'_>,
    compiler: &dyn Compiler,
) -> Result<Compiled, InputError> {
    let first = flags::compile(request, compiler);
    let Some(path) = request.path.filter(|_| request.options.directory.is_none()) else {
        return first;
    };
    let mut supplied = Supplied::default();
    let mut files = None;
    // What compiles, but has no kernel.
    let mut empty = None;
    let mut last = first;
    for _ in 0..ROUNDS {
        let error = match last {
            Ok(compiled) if empty.is_none() => {
                let guards = macros::around_kernels(path);
                if guards.is_empty() || crate::read::has_kernel(request.name, &compiled.bytes) {
                    return Ok(supplied.said_in(request, compiled));
                }
                empty = Some((supplied.clone(), compiled));
                for name in &guards {
                    supplied.define(name, "each kernel of the file stands");
                }
                last = flags::compile(&supplied.request(request), compiler);
                continue;
            }
            Ok(compiled) => {
                last = Ok(compiled);
                break;
            }
            Err(ref error) => error,
        };
        if let Some(name) = folders::missing(&error.output) {
            // Backslashes are read once an option names the folder (`dialect::includes`).
            let name = name.replace('\\', "/");
            let files = files.get_or_insert_with(|| folders::Files::around(path));
            let folder = match files.folder_of(&name) {
                Found::One(folder) => folder,
                Found::Several(folders) => {
                    supplied.choice = Some(choice(&name, &folders));
                    break;
                }
                Found::None => break,
            };
            let shown = folders::shown(&folder);
            supplied.add(
                ["-idirafter".into(), folder.into()],
                format!(
                    "`{name}` is taken from `{shown}`, a folder that no option names (`-- -I {shown}`)"
                ),
            );
            last = flags::compile(&supplied.request(request), compiler);
            continue;
        }
        let files = files.get_or_insert_with(|| folders::Files::around(path));
        let (with, tried) = match supplied.helpful_macro(request, path, compiler, error) {
            Some(helpful) => helpful,
            None => match supplied.with_siblings(request, path, files, compiler, error) {
                Some(whole) => whole,
                None => break,
            },
        };
        (supplied, last) = (with, tried);
    }
    match (last, empty) {
        // A macro that brings no kernel is not the one that is missing.
        (Ok(compiled), Some((without, first)))
            if !crate::read::has_kernel(request.name, &compiled.bytes) =>
        {
            Ok(without.said_in(request, first))
        }
        (Ok(compiled), _) => Ok(supplied.said_in(request, compiled)),
        (Err(error), _) => Err(supplied.explain(error)),
    }
}

/// What was supplied.
#[derive(Clone, Default)]
struct Supplied {
    arguments: Vec<OsString>,
    said: Vec<String>,
    options: Option<CompileOptions>,
    /// What could not be supplied, since the project has it more than once.
    choice: Option<String>,
}

/// What is said of a header that several folders have.
fn choice(name: &str, folders: &[PathBuf]) -> String {
    let shown: Vec<_> = folders.iter().take(SHOWN).map(|it| folders::shown(it)).collect();
    let more = match folders.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!(
        "`{name}` stands in `{}`{more}, each time with another text: `-- -I <folder>` says which",
        shown.join("`, `")
    )
}

impl Supplied {
    fn add<const N: usize>(&mut self, arguments: [OsString; N], said: String) {
        self.arguments.extend(arguments);
        self.said.push(said);
        self.options = None;
    }

    fn define(&mut self, name: &str, what: &str) {
        let said = format!(
            "`{name}` is taken as defined: {what} under it, and nothing defines it (`-- -D{name}`)"
        );
        self.add([format!("-D{name}").into()], said);
    }

    fn options(&mut self, request: &Request<'_>) -> &CompileOptions {
        let arguments = &self.arguments;
        self.options.get_or_insert_with(|| {
            let mut options = request.options.clone();
            options.clang_args.extend(arguments.iter().cloned());
            options
        })
    }

    fn request<'a>(&'a mut self, request: &Request<'a>) -> Request<'a> {
        Request { options: self.options(request), ..*request }
    }

    /// A macro with which fewer names are missing, none of them one that it was to bring.
    fn helpful_macro(
        &mut self,
        request: &Request<'_>,
        path: &Path,
        compiler: &dyn Compiler,
        error: &InputError,
    ) -> Option<(Supplied, Result<Compiled, InputError>)> {
        let names = undeclared(&error.output);
        let candidates = macros::guards(path, &self.options(request).clang_args, &names);
        for candidate in candidates.into_iter().take(TRIED) {
            let mut with = self.clone();
            with.define(&candidate.name, &format!("`{}` stands", candidate.word));
            let tried = flags::compile(&with.request(request), compiler);
            let left = match &tried {
                Ok(_) => BTreeSet::new(),
                Err(error) => undeclared(&error.output),
            };
            if !left.contains(&candidate.word) && left.is_subset(&names) {
                return Some((with, tried));
            }
        }
        None
    }

    /// The other files of the program, with which the source compiles.
    fn with_siblings(
        &self,
        request: &Request<'_>,
        path: &Path,
        files: &folders::Files,
        compiler: &dyn Compiler,
        error: &InputError,
    ) -> Option<(Supplied, Result<Compiled, InputError>)> {
        if request.language != Source::OpenCl {
            return None;
        }
        let mut names = undeclared(&error.output);
        let mut found: Vec<PathBuf> = Vec::new();
        for _ in 0..TRIED {
            let (sibling, name) = siblings::with_names(files, path, &names)?;
            if found.first() == Some(&sibling) {
                return None;
            }
            // What another one needs comes before it.
            found.retain(|it| *it != sibling);
            found.insert(0, sibling);
            let mut with = self.clone();
            for sibling in &found {
                let shown = folders::shown(sibling);
                let said = format!(
                    "`{shown}` is read before it, which has names that it misses (`-- -include {shown}`)"
                );
                with.add(["-include".into(), sibling.into()], said);
            }
            let tried = flags::compile(&with.request(request), compiler);
            let Err(error) = &tried else { return Some((with, tried)) };
            names = undeclared(&error.output);
            if names.contains(&name) {
                return None;
            }
        }
        None
    }

    fn said_in(self, request: &Request<'_>, mut compiled: Compiled) -> Compiled {
        if self.arguments.is_empty() {
            return compiled;
        }
        let name = request.name;
        let said: String =
            self.said.iter().map(|said| format!("{name}: warning: {said}\n")).collect();
        compiled.warnings = said + &compiled.warnings;
        compiled.supplied = self.arguments;
        // What was looked for in the project is not known to what keeps answers.
        compiled.reads = None;
        compiled
    }

    fn explain(self, mut error: InputError) -> InputError {
        let all = self.said.iter().chain(&self.choice);
        let said: String = all.map(|said| format!("note: {said}\n")).collect();
        error.output = said + &error.output;
        error.supplied = self.arguments.into();
        error
    }
}
