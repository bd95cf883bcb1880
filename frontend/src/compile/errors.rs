//! What a user reads where clang finds errors, or stops: a line of summary, and a way out.
//!
//! **Does not**: read what clang says in place of showing it; only the way out goes by its words.

use std::collections::BTreeSet;

use super::{Request, Source};
use crate::{InputError, InputErrorKind};

/// A compiler that came to an end without an answer.
pub fn stopped(request: &Request<'_>, what: &str, help: &str) -> InputError {
    InputError::new(InputErrorKind::Compile, request.name, what, help)
}

/// clang's text with one line of summary, and a way out that fits what clang says.
pub fn compile_error(request: &Request<'_>, text: String, code: Option<i32>) -> InputError {
    let errors = text.lines().filter(|l| l.contains("error: ")).count();
    let message = match (errors, code) {
        (0, None) => "clang was stopped by a signal".to_owned(),
        (0, Some(code)) => format!("clang failed with exit status {code} and no message"),
        (1, _) => "clang finds an error in this file".to_owned(),
        (n, _) => format!("clang finds {n} errors in this file"),
    };
    let help = way_out(request, &text);
    InputError {
        output: text,
        ..InputError::new(InputErrorKind::Compile, request.name, message, help)
    }
}

/// What a user can do about an error of clang.
fn way_out(request: &Request<'_>, text: &str) -> &'static str {
    let says = |what: &str| text.contains(what);
    // What an architecture lacks: attributes, and instructions that built-in functions stand for.
    let lacks =
        says("is not supported for this GPU architecture") || says("needs target feature sm_");
    if says("unsupported CUDA gpu architecture") || says("unknown target CPU") {
        return "choose another architecture with `--arch`";
    }
    if lacks && request.language == Source::Cuda {
        return "name the architecture that the file is for: `--arch sm_90a`";
    }
    if says("file not found") && request.options.directory.is_some() {
        return "build what makes the missing header, or add its folder: `-- -I <folder>`";
    }
    if says("file not found") {
        return "add the folder of the missing header: `-- -I <folder>`";
    }
    if says("unknown argument") || says("unsupported option") {
        return "what follows `--` is passed to clang as it is";
    }
    if request.language == Source::OpenCl && !undeclared(text).is_empty() {
        return "if the host builds this program with options (`clBuildProgram`), give them here too: `-- -D NAME=VALUE`";
    }
    if request.language == Source::Cuda && request.options.cuda_path.is_none() {
        return "if a CUDA name is missing, the built-in headers lack it: use a toolkit with `--cuda-path <folder>`";
    }
    "the file must compile with clang 22 before it can be checked"
}

/// The names that clang's errors miss.
pub(super) fn undeclared(output: &str) -> BTreeSet<String> {
    const MISSED: [&str; 6] = [
        "use of undeclared identifier '",
        "unknown type name '",
        "no member named '",
        "no type named '",
        "no template named '",
        "no matching function for call to '",
    ];
    let errors = output.lines().filter_map(|line| line.split_once(" error: "));
    let named = errors.filter_map(|(_, error)| {
        let rest = MISSED.iter().find_map(|it| error.strip_prefix(it))?;
        rest.split('\'').next().map(str::to_owned)
    });
    named.collect()
}

/// What clang says of a function of a processor's instructions that no option asks for.
const WANTS_INSTRUCTIONS: &str = "requires target feature '";

/// What a user can do where the host's part does not compile, if that is known: a call of a
/// processor's instructions that no option asks for.
pub fn way_out_of_host(error: &str) -> Option<String> {
    let (_, feature) = error.split_once(WANTS_INSTRUCTIONS)?;
    let feature = feature.split('\'').next()?;
    Some(format!("if the build has it, give the option for it: `-- -Xarch_host -m{feature}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_clang_misses_are_read_from_its_errors() {
        let output = "k.cu:1:2: error: use of undeclared identifier 'BLOCK'\n   1 | BLOCK\n\
                      x.h:3:1: error: no member named 'gpu' in 'layer'\nk.cu:2:1: error: expected ';'\n";
        let wanted: Vec<_> = undeclared(output).into_iter().collect();
        assert_eq!(wanted, ["BLOCK", "gpu"]);
    }
}
