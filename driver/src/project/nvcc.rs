//! nvcc's commands as clang's device compilations.
//!
//! The code is compiled as nvcc's device side sees it, with the macros that its options define.
//! nvcc's own identity (`__NVCC__`, its version) is not claimed: clang is another compiler, and
//! code may tell them apart.
//!
//! **Promises**: an option without a row in [`super::nvcc_options`] is an error by its name, unless
//! the command hands what nvcc does not know to the host compiler
//! (`-forward-unknown-to-host-compiler`, which CMake always gives).

use std::path::{Path, PathBuf};

use super::clang::for_preprocessor;
use super::compilation::{Compilation, Meaning, Spoken, TOOLKIT, is_toolkit};
use super::nvcc_options::{Effect, Takes, row};
use super::words;

const FORWARDED: &str = "nvcc hands it to the host compiler";
const HOST: &str = "for the host compiler";
const NO_ARCH: &str = "it names no architecture; `--arch` chooses one";

/// Reads the words after `nvcc`.
///
/// # Errors
/// An option that nvcc does not have, one without its value, an options file that cannot be read.
pub(super) fn read(
    words: &[String],
    (directory, folders): (&Path, &[PathBuf]),
    file: &Path,
) -> Result<Meaning, String> {
    let mut reader = Reader {
        directory,
        folders,
        out: Compilation::default(),
        spoken: None,
        unknown: Vec::new(),
        forwards: false,
    };
    reader.all(words, 0)?;
    let Reader { mut out, spoken, unknown, forwards, directory: _, folders: _ } = reader;
    for option in unknown {
        if !forwards {
            return Err(format!("nvcc's option `{option}` is not known here"));
        }
        // Macros and include paths among them hold for the device side too.
        for_preprocessor(&[option], &mut out, FORWARDED)?;
    }
    Ok(match spoken.unwrap_or_else(|| Spoken::of_file(file)) {
        Spoken::Cuda => Meaning::Device(out),
        Spoken::OpenCl | Spoken::Host => Meaning::Host,
        Spoken::Hip => Meaning::Foreign("HIP"),
    })
}

struct Reader<'a> {
    directory: &'a Path,
    /// Where files of options may be.
    folders: &'a [PathBuf],
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
            let dashes = &word[..word.len() - word.trim_start_matches('-').len()];
            self.option(&format!("{dashes}{name}"), &value, effect, depth)?;
        }
        Ok(())
    }

    /// `name` is with its dashes.
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
            Effect::If(wanted, words) => {
                if value == wanted {
                    self.add(words);
                }
            }
            Effect::Machine => {
                if value != "64" {
                    return Err(format!(
                        "`-m {value}`: only code of 64 bits is compiled; build with `-m64`"
                    ));
                }
            }
            Effect::Refused(reason) => return Err(format!("nvcc's option `{name}`: {reason}")),
            Effect::Arch => self.arch(value)?,
            Effect::GenCode => {
                for part in value.split(',') {
                    if let Some(arch) = part.trim().strip_prefix("arch=") {
                        self.arch(arch)?;
                    }
                }
            }
            Effect::Language => self.spoken = Spoken::of_option(value),
            Effect::OptionsFile => {
                // A file of options may name another one.
                if depth > 8 {
                    return Err(format!("the options file `{value}` leads to itself"));
                }
                for path in words::list(value) {
                    self.all(
                        &words::of_file(&self.directory.join(path), self.folders)?,
                        depth + 1,
                    )?;
                }
            }
            Effect::HostOptions => {
                // nvcc writes each part into a line for the shell as it is: quotes count, and it
                // may be several words.
                let line = words::list(value).join(" ");
                let options = words::split(&line)
                    .ok_or_else(|| format!("a quote is not closed in `{name} {value}`"))?;
                for_preprocessor(&options, &mut self.out, HOST)?;
            }
            Effect::ForwardUnknown => self.forwards = true,
            Effect::Dropped(reason) => {
                let shown = format!("{name} {value}");
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

    /// `sm_80`, `compute_80`, `lto_80` mean the same source; `native`, `all` and `all-major` name
    /// none.
    fn arch(&mut self, value: &str) -> Result<(), String> {
        let value = value.trim();
        let number = ["sm_", "compute_", "lto_"].into_iter().find_map(|it| value.strip_prefix(it));
        match (number, value) {
            (Some(number), _) => self.out.add_arch(format!("sm_{number}")),
            (None, "native" | "all" | "all-major") => {
                self.out.drop(format!("-arch {value}"), NO_ARCH);
            }
            (None, _) => {
                return Err(format!(
                    "`{value}` is no architecture that nvcc has, as `sm_90` or `compute_90` is"
                ));
            }
        }
        Ok(())
    }
}

/// Name, joined value, and row of an option. A name of one letter may have its value joined without
/// `=`.
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
        (Takes::Value, effect) if !word.starts_with("--") && is_joined(letter, value) => {
            Some((letter, Some(value), effect, Takes::Value))
        }
        (Takes::Value | Takes::Nothing, _) => None,
    }
}

/// The letters after which nvcc takes a value without more; it refuses `-ok.o`, `-xcu` and
/// `-earch`.
fn is_joined(letter: &str, value: &str) -> bool {
    match letter {
        "D" | "U" | "I" | "O" | "L" | "l" => true,
        // With what it hands on, `-traditional` is gcc's.
        "t" => value.bytes().all(|it| it.is_ascii_digit()),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_words(text: &str) -> Result<Meaning, String> {
        let words = words::split(text).expect("words");
        read(&words, (Path::new("/p"), &[]), Path::new("/p/k.cu"))
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
            ("--relocatable-device-code true --device-c", "-fgpu-rdc -D__CUDACC_RDC__"),
            ("-rdc=false -c k.cu -o k.o -O3 -G", "-D__CUDACC_DEBUG__"),
            // Whole programs again: `nvcc --dryrun` shows neither macro nor `--device-c`.
            ("-dw", ""),
            ("-safety-compat", "-D__NV_LEGACY_LAUNCH"),
            ("-ewp", "-fgpu-rdc -D__CUDACC_EWP__"),
            ("-default-stream per-thread", "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1"),
            ("--default-stream=legacy", ""),
        ] {
            assert_eq!(device(given).arguments.join(" "), wanted, "{given}");
        }
    }

    #[test]
    fn values_stand_joined_behind_an_equals_sign_or_apart() {
        for (given, wanted) in [
            ("-D'S=\"a b\"' -DV=1,2 -D=A=1", "-D S=\"a b\" -D V=1 -D 2 -D A=1"),
            ("-D 'F(x\\,y)=x' -UA --undefine-macro B,C", "-D F(x,y)=x -U A -U B -U C"),
            ("-Iinc -I=inc2 --include-path inc3 -I 'a b'", "-I inc -I inc2 -I inc3 -I a b"),
            ("-isystem d,e --system-include=f", "-isystem d -isystem e -isystem f"),
            ("-include x.h,y.h --pre-include=z.h", "-include x.h -include y.h -include z.h"),
            ("--std=c++20 -ftemplate-depth 900", "-std=c++20 -ftemplate-depth=900"),
        ] {
            assert_eq!(device(given).arguments.join(" "), wanted, "{given}");
        }
    }

    #[test]
    fn the_hosts_options_give_what_they_preprocess() {
        for (given, wanted) in [
            ("-Xcompiler=-fPIC,-DHOST=1 -Xcompiler \"-Wall -I inc\"", "-DHOST=1 -I inc"),
            ("--compiler-options \"-DS='x y'\" -Xcompiler -D,B", "-DS=x y -D B"),
            ("-Xcompiler -Wp,-DA,-U,B,-MD,k.d", "-DA -U B"),
            (
                "-forward-unknown-to-host-compiler -iquoteq -Wp,-DX -fopenmp -Wl,-rpath,/x",
                "-iquoteq -DX",
            ),
        ] {
            assert_eq!(device(given).arguments.join(" "), wanted, "{given}");
        }
        let open = read_words("-Xcompiler \"-DS='x\"").unwrap_err();
        assert!(open.contains("a quote is not closed"), "{open}");
    }

    #[test]
    fn options_files_are_read_in_place() {
        let folder = std::env::temp_dir().join(format!("heddle-nvcc-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join("o.rsp"), "-DP\n-optf in.rsp\n-t 2").expect("a file");
        std::fs::write(folder.join("in.rsp"), "-DQ=1,R").expect("a file");
        std::fs::write(folder.join("loop.rsp"), "-optf loop.rsp").expect("a file");
        let real = folder.canonicalize().expect("it is there");
        let read_in = |text: &str| {
            let words = words::split(text).expect("words");
            read(&words, (&folder, std::slice::from_ref(&real)), &folder.join("k.cu"))
        };
        for given in
            ["-optf o.rsp -DL", "--options-file=o.rsp -DL", "--options-file o.rsp --define-macro L"]
        {
            let Ok(Meaning::Device(it)) = read_in(given) else { panic!("{given}") };
            assert_eq!(it.arguments.join(" "), "-D P -D Q=1 -D R -D L", "{given}");
        }
        assert!(read_in("-optf loop.rsp").unwrap_err().contains("itself"));
        std::fs::remove_dir_all(&folder).expect("the folder goes");
    }

    #[test]
    fn what_changes_no_answer_goes_with_its_value() {
        // Each is followed by a macro: a value taken for an option, or an option for a value, would
        // lose it.
        for given in [
            "-Xptxas -v",
            "--ptxas-options=-O3,-v",
            "-Xcudafe --diag_suppress=x",
            "--cudafe-options --display_error_number",
            "-Xcicc -O1",
            "-Xlinker -rpath,/x",
            "-Xfatbin -compress-all",
            "-ccbin g++",
            "--compiler-bindir=g++",
            "-odir out",
            "-keep -keep-dir d",
            "--keep-dir=d",
            "-maxrregcount 32",
            "-maxrregcount=32",
            "-t4",
            "-t 4",
            "-t=4",
            "--threads 0",
            "--jobserver",
            "-MD -MF k.d -MT k.o -MP",
            "-diag-suppress 20012,177",
            "--diag-suppress=20012",
            "-Werror all-warnings",
            "--Werror=cross-execution-space-call",
            "-Wno-deprecated-gpu-targets -Wreorder -Wconversion -w",
            "-m64",
            "-m 64",
            "--machine=64",
            "-prec-div=false -prec-sqrt true --ftz=true -fmad=false",
            "-use_fast_math",
            "-lineinfo -src-in-ptx --generate-line-info",
            "-lfoo -l foo -Lbar -L bar --library=z",
            "-O3",
            "-O 3",
            "--optimize=2",
            "-Ofast-compile=max",
            "-cudart shared --cudadevrt=none",
            "-g -pg -restrict -noeh",
            "-code=sm_80,compute_80",
            "-dw -o k.o",
            "-fdevice-sanitize memcheck",
        ] {
            assert_eq!(device(&format!("{given} -DLAST")).arguments, ["-D", "LAST"], "{given}");
        }
    }

    #[test]
    fn what_cannot_be_mapped_is_an_error_with_the_way_out() {
        for (given, says) in [
            (
                "--enable-tile",
                "`--enable-tile`: clang does not compile CUDA Tile; name the other files",
            ),
            ("-m32", "`-m32`: code of 32 bits is not compiled; build with `-m64`"),
            ("--machine 32", "`-m64`"),
            ("-arch=foo", "`sm_90`"),
            ("-gencode arch=80,code=80", "`compute_90`"),
            ("-forward-unknown-opts -iquote -DA", "`-iquote` lacks its value"),
        ] {
            let why = read_words(given).unwrap_err();
            assert!(why.contains(says), "{given}: {why}");
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
            ("-gencode 'arch=compute_80,code=\"sm_80,compute_80\"' -arch=lto_86", "sm_80 sm_86"),
            ("-arch sm_90a -gpu-code=sm_90a --gpu-architecture=sm_100f", "sm_90a sm_100f"),
            ("-arch=native", ""),
            ("-arch=all-major -arch all", ""),
            ("", ""),
        ] {
            assert_eq!(device(given).archs.join(" "), wanted, "{given}");
        }
    }

    #[test]
    fn what_goes_says_why() {
        let dropped =
            device("-lineinfo -arch=native -Xptxas -v,-O3 -maxrregcount=32 -ccbin g++ -MD -MF k.d")
                .dropped;
        let dropped: Vec<_> = dropped.iter().map(|it| it.argument.as_str()).collect();
        assert_eq!(
            dropped,
            [
                "-lineinfo",
                "-arch native",
                "-Xptxas -v,-O3",
                "-maxrregcount 32",
                "-ccbin g++",
                "-MD",
                "-MF k.d"
            ]
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
            read(&words::split(text).expect("words"), (Path::new("/p"), &[]), Path::new("/p/k.cpp"))
        };
        assert_eq!(host("-c k.cpp"), Ok(Meaning::Host));
        assert!(matches!(host("-x cu -c k.cpp"), Ok(Meaning::Device(_))));
        assert_eq!(read_words("-x c++ k.cu"), Ok(Meaning::Host));
    }
}
