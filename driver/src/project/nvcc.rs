//! nvcc's commands as clang's device compilations.
//!
//! The code is compiled as nvcc's device side sees it, with the macros that its options define. nvcc's own identity
//! (`__NVCC__`, its version) is not claimed: clang is another compiler, and code may tell them apart.
//!
//! **Promises**: an option without a row in [`super::nvcc_options`] is an error by its name, unless the command hands
//! what nvcc does not know to the host compiler (`-forward-unknown-to-host-compiler`, which CMake always gives).

use std::path::Path;

use super::clang::for_preprocessor;
use super::command::{Compilation, Meaning, Spoken, TOOLKIT, is_toolkit};
use super::nvcc_options::{Effect, Takes, row};
use super::words;

const FORWARDED: &str = "nvcc hands it to the host compiler";
const HOST: &str = "for the host compiler";

/// Reads the words behind `nvcc`.
///
/// # Errors
/// An option that nvcc does not have, one without its value, an options file that cannot be read.
pub(super) fn read(words: &[String], directory: &Path, file: &Path) -> Result<Meaning, String> {
    let mut reader = Reader {
        directory,
        out: Compilation::default(),
        spoken: None,
        unknown: Vec::new(),
        forwards: false,
    };
    reader.all(words, 0)?;
    let Reader { mut out, spoken, unknown, forwards, directory: _ } = reader;
    for option in unknown {
        if !forwards {
            return Err(format!("nvcc's option `{option}` is not known here"));
        }
        // Macros and include paths among them hold for the device side too.
        for_preprocessor([option.as_str()].into_iter(), &mut out, FORWARDED);
    }
    Ok(match spoken.unwrap_or_else(|| Spoken::of_file(file)) {
        Spoken::Cuda => Meaning::Device(out),
        Spoken::OpenCl | Spoken::Host => Meaning::Host,
        Spoken::Hip => Meaning::Foreign("HIP"),
    })
}

struct Reader<'a> {
    directory: &'a Path,
    out: Compilation,
    spoken: Option<Spoken>,
    unknown: Vec<String>,
    forwards: bool,
}

impl Reader<'_> {
    fn all(&mut self, words: &[String], depth: usize) -> Result<(), String> {
        let mut words = words.iter();
        while let Some(word) = words.next() {
            if !word.starts_with('-') || word == "-" {
                continue;
            }
            let Some((name, joined, effect, takes)) = split(word) else {
                self.unknown.push(word.clone());
                continue;
            };
            let value = match (takes, joined) {
                (Takes::Nothing, _) => String::new(),
                (Takes::Value, Some(value)) => value.to_owned(),
                (Takes::Value, None) => {
                    words.next().cloned().ok_or_else(|| format!("`{word}` lacks its value"))?
                }
            };
            self.option(name, &value, effect, depth)?;
        }
        Ok(())
    }

    fn option(
        &mut self,
        name: &str,
        value: &str,
        effect: Effect,
        depth: usize,
    ) -> Result<(), String> {
        match effect {
            Effect::Each(option) => {
                for part in words::list(value) {
                    if matches!(option, "-I" | "-isystem")
                        && is_toolkit(&self.directory.join(&part))
                    {
                        self.out.drop(format!("{option} {part}"), TOOLKIT);
                    } else {
                        self.out.arguments.extend([option.to_owned(), part]);
                    }
                }
            }
            Effect::Joined(option) => self.out.arguments.push(format!("{option}{value}")),
            Effect::Becomes(words) => self.add(words),
            Effect::RelocatableCode => {
                if value == "true" {
                    self.add(&["-fgpu-rdc", "-D__CUDACC_RDC__"]);
                }
            }
            Effect::Arch => self.arch(value),
            Effect::GenCode => {
                let parts = value.split(',');
                parts
                    .filter_map(|part| part.trim().strip_prefix("arch="))
                    .for_each(|arch| self.arch(arch));
            }
            Effect::Language => self.spoken = Spoken::of_option(value),
            Effect::OptionsFile => {
                // A file of options may name another one.
                if depth > 8 {
                    return Err(format!("the options file `{value}` leads to itself"));
                }
                for path in words::list(value) {
                    self.all(&words::of_file(&self.directory.join(path))?, depth + 1)?;
                }
            }
            Effect::HostOptions => {
                let parts = words::list(value);
                for_preprocessor(
                    parts.iter().flat_map(|it| it.split_whitespace()),
                    &mut self.out,
                    HOST,
                );
            }
            Effect::ForwardUnknown => self.forwards = true,
            Effect::Dropped(reason) => {
                let shown = format!("-{name} {value}");
                self.out.drop(shown.trim_end(), reason);
            }
        }
        Ok(())
    }

    fn add(&mut self, words: &[&str]) {
        for &word in words {
            if !self.out.arguments.iter().any(|it| it == word) {
                self.out.arguments.push(word.to_owned());
            }
        }
    }

    /// `sm_80`, `compute_80`, `lto_80` mean the same source; `native`, `all` and `all-major` name none.
    fn arch(&mut self, value: &str) {
        let number =
            ["sm_", "compute_", "lto_"].into_iter().find_map(|it| value.trim().strip_prefix(it));
        if let Some(number) = number {
            self.out.add_arch(format!("sm_{number}"));
        }
    }
}

/// Name, joined value, and row of an option. A name of one letter may have its value joined without `=`.
fn split(word: &str) -> Option<(&str, Option<&str>, Effect, Takes)> {
    let bare = word.strip_prefix("--").or_else(|| word.strip_prefix('-'))?;
    let (name, joined) = match bare.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (bare, None),
    };
    if let Some((takes, effect)) = row(name) {
        return Some((name, joined, effect, takes));
    }
    let (letter, value) = bare.split_at_checked(1)?;
    match row(letter)? {
        (Takes::Value, effect) if !word.starts_with("--") && is_joined(letter) => {
            Some((letter, Some(value), effect, Takes::Value))
        }
        (Takes::Value | Takes::Nothing, _) => None,
    }
}

/// The letters behind which builds do write values: nvcc's `-odir` is no `-o dir`, nor is gcc's `-mavx` an `-m avx`.
fn is_joined(letter: &str) -> bool {
    ["D", "U", "I", "O", "L", "l"].contains(&letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_words(text: &str) -> Result<Meaning, String> {
        let words = words::split(text).expect("words");
        read(&words, Path::new("/p"), Path::new("/p/k.cu"))
    }

    fn device(text: &str) -> Compilation {
        match read_words(text) {
            Ok(Meaning::Device(compilation)) => compilation,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn what_the_code_is_stays() {
        for (given, wanted) in [
            ("-DA=1 -D B --define-macro=C,D -UE k.cu", "-D A=1 -D B -D C -D D -U E"),
            (
                "-I. -I ../inc --include-path=a,b -isystem=s k.cu",
                "-I . -I ../inc -I a -I b -isystem s",
            ),
            ("-std=c++17 --std c++20 -include x.h", "-std=c++17 -std=c++20 -include x.h"),
            (
                "--expt-relaxed-constexpr -expt-extended-lambda",
                "-D__CUDACC_RELAXED_CONSTEXPR__ -D__CUDACC_EXTENDED_LAMBDA__",
            ),
            ("-rdc=true -dc", "-fgpu-rdc -D__CUDACC_RDC__"),
            ("-rdc=false -c k.cu -o k.o -O3 -G", "-D__CUDACC_DEBUG__"),
            ("-Xcompiler=-fPIC,-DHOST=1 -Xcompiler \"-Wall -I inc\"", "-DHOST=1 -I inc"),
        ] {
            assert_eq!(device(given).arguments.join(" "), wanted, "{given}");
        }
    }

    #[test]
    fn architectures_are_collected() {
        for (given, wanted) in [
            ("-arch=sm_80", "sm_80"),
            ("--gpu-architecture compute_90a", "sm_90a"),
            (
                "-gencode arch=compute_70,code=[sm_75,compute_70] --generate-code=arch=compute_86,code=sm_86 -gencode=arch=compute_70,code=sm_70",
                "sm_70 sm_86",
            ),
            ("-arch=native", ""),
            ("", ""),
        ] {
            assert_eq!(device(given).archs.join(" "), wanted, "{given}");
        }
    }

    #[test]
    fn what_goes_says_why() {
        let dropped = device(
            "-lineinfo --use_fast_math -Xptxas -v,-O3 -maxrregcount=32 -ccbin g++ -MD -MF k.d",
        )
        .dropped;
        let dropped: Vec<_> = dropped.iter().map(|it| it.argument.as_str()).collect();
        assert_eq!(
            dropped,
            ["-lineinfo", "-Xptxas -v,-O3", "-maxrregcount 32", "-ccbin g++", "-MD", "-MF k.d"]
        );
        let forwarded =
            device("-forward-unknown-to-host-compiler -march=native -Wall -fopenmp").dropped;
        assert_eq!(forwarded.len(), 3, "{forwarded:?}");
    }

    #[test]
    fn an_unknown_option_is_an_error_by_its_name() {
        let why = read_words("--no-such-option k.cu").unwrap_err();
        assert!(why.contains("`--no-such-option`"), "{why}");
        assert!(read_words("-arch").unwrap_err().contains("lacks its value"));
        assert!(read_words("-optf none.rsp").unwrap_err().contains("none.rsp"));
    }

    #[test]
    fn the_language_decides() {
        let host = |text: &str| {
            read(&words::split(text).expect("words"), Path::new("/p"), Path::new("/p/k.cpp"))
        };
        assert_eq!(host("-c k.cpp"), Ok(Meaning::Host));
        assert!(matches!(host("-x cu -c k.cpp"), Ok(Meaning::Device(_))));
        assert_eq!(read_words("-x c++ k.cu"), Ok(Meaning::Host));
    }
}
