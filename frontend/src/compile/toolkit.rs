//! What an installed CUDA toolkit says of itself.

use std::path::Path;

/// A version of CUDA.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    /// 12 of 12.9.
    pub major: u32,
    /// 9 of 12.9.
    pub minor: u32,
}

/// The version of a toolkit that does not say which one it is: the newest that LLVM 22 knows.
pub const NEWEST: Version = Version { major: 12, minor: 9 };

/// The newest version for which clang 22 knows how kernels are launched. Newer ones launch alike.
pub const NEWEST_LAUNCH: Version = Version { major: 13, minor: 0 };

/// The folder of CCCL in a toolkit from CUDA 13 on, which `nvcc` searches by itself.
pub const CCCL: &str = "include/cccl";

/// The files that a version is read from, by their names in the toolkit.
pub const ASKED: [&str; 3] = ["include/cuda.h", "version.json", "version.txt"];

/// The version of the toolkit in a folder: from `cuda.h`, else from `version.json` or
/// `version.txt`.
pub fn version(toolkit: &Path) -> Version {
    let text = |name: &str| heddle_diagnostics::source::read_regular(&toolkit.join(name)).ok();
    let read = |name: &str, of: fn(&str) -> Option<Version>| {
        text(name).and_then(|bytes| of(&String::from_utf8_lossy(&bytes)))
    };
    let [header, json, plain] = ASKED;
    read(header, of_header)
        .or_else(|| read(json, of_json))
        .or_else(|| read(plain, of_text))
        .unwrap_or(NEWEST)
}

/// `#define CUDA_VERSION 12090`
fn of_header(text: &str) -> Option<Version> {
    let number = text.lines().find_map(|line| {
        let mut words = line.trim_start().strip_prefix('#')?.split_whitespace();
        (words.next()? == "define" && words.next()? == "CUDA_VERSION").then_some(())?;
        words.next()?.parse::<u32>().ok()
    })?;
    Some(Version { major: number / 1000, minor: number % 1000 / 10 })
}

/// `"cuda" : { "name" : "CUDA SDK", "version" : "12.9.1" }`, the keys in any order, on as many
/// lines as it takes.
fn of_json(text: &str) -> Option<Version> {
    let (_, after) = text.split_once("\"cuda\"")?;
    let (entry, _) = after.split_once('}')?;
    let (_, value) = entry.split_once("\"version\"")?;
    dotted(value.split('"').nth(1)?)
}

/// `CUDA Version 10.2.89`
fn of_text(text: &str) -> Option<Version> {
    dotted(text.trim().strip_prefix("CUDA Version ")?)
}

fn dotted(text: &str) -> Option<Version> {
    let mut numbers = text.split('.').map(|it| it.parse::<u32>().ok());
    Some(Version { major: numbers.next()??, minor: numbers.next()?? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_file_has_its_form() {
        let found = Some(Version { major: 12, minor: 9 });
        assert_eq!(of_header("#ifndef X\n#define CUDA_VERSION 12090\n"), found);
        assert_eq!(
            of_header("#define CUDA_VERSION_TEXT 7\n  # define CUDA_VERSION 12090 // x"),
            found
        );
        assert_eq!(of_header("#define CUDA_VERSION"), None);
        assert_eq!(
            of_json("{ \"cuda\" : {\n\"name\" : \"SDK\",\n \"version\" : \"12.9.1\"\n} }"),
            found
        );
        assert_eq!(of_json("{ \"cuda_cudart\" : { \"version\" : \"12.9.1\" } }"), None);
        let old = Some(Version { major: 10, minor: 2 });
        assert_eq!(of_text("CUDA Version 10.2.89\n"), old);
        assert_eq!(of_text(""), None);
    }

    #[test]
    fn a_folder_that_says_nothing_is_the_newest() {
        assert_eq!(version(Path::new("/nowhere")), NEWEST);
    }
}
