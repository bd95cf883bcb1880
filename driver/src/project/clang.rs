//! Commands of clang, and of compilers with the same options (`gcc`, `c++`), as device
//! compilations.
//!
//! What goes is the output, dependency files, the optimiser, warnings, the host's machine code, and
//! linking. Of the rest clang gets what a project may say ([`super::allowed`]).
//!
//! **Does not**: read clang-cl's options, or SYCL and OpenMP offloading: their files count as host
//! code.

use std::path::Path;

use heddle_frontend::compile::OpenClTarget;

use super::allowed::{Leave, NOT_ALLOWED, goes_to_the_compiler_proper, leave};
use super::compilation::{Compilation, Meaning, OpenCl, Spoken, TOOLKIT, is_toolkit};

const OUTPUT: &str = "the output is Heddle's own";
const DEPENDENCIES: &str = "no dependency file is written";
const OPTIMISER: &str = "no LLVM pass runs before the check";
const WARNINGS: &str = "warnings are the build's to give";
const HOST: &str = "for the host's machine code";
const LINKING: &str = "nothing is linked";
const TARGETS: &str = "Heddle chooses what is compiled";

/// How an option is written.
enum Form {
    /// Alone, exactly so.
    Flag,
    /// With its value in the next word.
    Next,
    /// With its value in the same word or, if the word ends with the name, in the next one.
    Either,
    /// Any word that starts so.
    Prefix,
}

/// Options that the device compilation does not get. The first row that fits counts.
const DROPPED: &[(Form, &[&str], &str)] = {
    use Form::{Either, Flag, Next, Prefix};
    &[
        (
            Flag,
            &["-c", "-S", "-E", "-emit-llvm", "-emit-ast", "-fsyntax-only", "-v", "-###"],
            OUTPUT,
        ),
        (Either, &["-o"], OUTPUT),
        (Next, &["--serialize-diagnostics", "-index-store-path", "-dumpdir"], OUTPUT),
        (Prefix, &["-save-temps", "--save-temps", "-gen-cdb-"], OUTPUT),
        (Either, &["-MF", "-MT", "-MQ", "-MJ"], DEPENDENCIES),
        (Flag, &["-M", "-MM", "-MD", "-MMD", "-MP", "-MG", "-MV"], DEPENDENCIES),
        (Next, &["-mllvm", "-Xcuda-ptxas", "-Xcuda-fatbinary"], OPTIMISER),
        (Prefix, &["-flto", "-fno-lto", "-fprofile", "-fno-profile"], OPTIMISER),
        (
            Prefix,
            &["-fcoverage", "-ftest-coverage", "--coverage", "-fsanitize", "-fno-sanitize"],
            OPTIMISER,
        ),
        (Prefix, &["-O", "-g", "-fdebug", "-fno-debug"], OPTIMISER),
        (
            Prefix,
            &["-fcolor-", "-fno-color-", "-fdiagnostics", "-fno-diagnostics", "-Rpass"],
            WARNINGS,
        ),
        (Prefix, &["-Wl,", "-fuse-ld", "--ld-path", "-rtlib", "-l", "-L"], LINKING),
        (Next, &["-Xlinker", "-z", "-u"], LINKING),
        (Flag, &["-shared", "-static", "-rdynamic", "-pipe", "-s"], LINKING),
        (Prefix, &["-Wa,"], HOST),
        (Next, &["-Xassembler", "-Xarch_host"], HOST),
        (
            Prefix,
            &["-fPI", "-fpi", "-fno-PI", "-fno-pi", "-fno-plt", "-fstack-", "-fno-stack-"],
            HOST,
        ),
        (
            Prefix,
            &["-fcf-protection", "-fno-omit-frame", "-fomit-frame", "-ffunction-sections"],
            HOST,
        ),
        (
            Prefix,
            &["-fdata-sections", "-mtune=", "-mavx", "-msse", "-mfma", "-mf16c", "-mbmi"],
            HOST,
        ),
        (Prefix, &["-W", "-pedantic", "--pedantic"], WARNINGS),
        (Flag, &["-w"], WARNINGS),
        (
            Flag,
            &["--cuda-device-only", "--cuda-compile-host-device", "-nocudainc", "-nocudalib"],
            TARGETS,
        ),
        (
            Flag,
            &["--cuda-path-ignore-env", "--no-gpu-bundle-output", "--gpu-bundle-output"],
            TARGETS,
        ),
        (Prefix, &["--cuda-path=", "-cuda-path="], TOOLKIT),
        (Next, &["--cuda-path"], TOOLKIT),
        (Prefix, &["--cuda-feature=", "--cuda-include-ptx=", "--no-cuda-include-ptx="], TARGETS),
        (Prefix, &["--no-cuda-gpu-arch=", "--no-offload-arch=", "--offload-new-driver"], TARGETS),
        (Prefix, &["--no-offload-new-driver", "-foffload-lto", "--offload-device-only"], TARGETS),
    ]
};

/// The names of the rows of the form [`Form::Either`].
const EITHER: [&str; 5] = ["-o", "-MF", "-MT", "-MQ", "-MJ"];

/// Options that name a folder of headers, which may be a toolkit's.
const FOLDERS: [&str; 5] = ["-I", "-isystem", "-iquote", "-idirafter", "-cxx-isystem"];

/// Reads the words after the compiler's name.
///
/// # Errors
/// An option lacks its value.
pub(super) fn read(words: &[String], directory: &Path, file: &Path) -> Result<Meaning, String> {
    let mut reader = Reader {
        directory,
        file,
        out: Compilation::default(),
        spoken: None,
        ahead: None,
        host_only: false,
        opencl: OpenCl::default(),
    };
    let mut words = words.iter();
    while let Some(word) = words.next() {
        reader.word(word, &mut || words.next().map(String::as_str))?;
    }
    let Reader { mut out, spoken, host_only, opencl, .. } = reader;
    Ok(match spoken.unwrap_or_else(|| Spoken::of_file(file)) {
        Spoken::Cuda if host_only => Meaning::Host,
        Spoken::Cuda => Meaning::Device(out),
        Spoken::OpenCl => {
            out.opencl = Some(opencl);
            Meaning::Device(out)
        }
        Spoken::Hip => Meaning::Foreign("HIP"),
        Spoken::Host => Meaning::Host,
    })
}

struct Reader<'a> {
    directory: &'a Path,
    file: &'a Path,
    out: Compilation,
    /// The language of the file, once it has been met.
    spoken: Option<Spoken>,
    /// The language that the last `-x` gives to files after it.
    ahead: Option<Spoken>,
    host_only: bool,
    opencl: OpenCl,
}

impl<'a> Reader<'a> {
    fn word(
        &mut self,
        word: &str,
        next: &mut dyn FnMut() -> Option<&'a str>,
    ) -> Result<(), String> {
        let mut value = |name: &str| next().ok_or_else(|| format!("`{name}` lacks its value"));
        if !word.starts_with('-') || word == "-" {
            // Another input than the file of the entry says nothing about that file.
            // Paths differ in form (`../k.cu`), names do not.
            if Path::new(word).file_name() == self.file.file_name() {
                self.spoken = self.ahead.or(Some(Spoken::of_file(self.file)));
            }
        } else if word == "--" {
        } else if let Some(language) = word.strip_prefix("-x") {
            let language = if language.is_empty() { value("-x")? } else { language };
            self.ahead = Spoken::of_option(language);
        } else if word == "--cuda-host-only" || word == "--offload-host-only" {
            self.host_only = true;
        } else if let Some(list) =
            word.strip_prefix("--cuda-gpu-arch=").or_else(|| word.strip_prefix("--offload-arch="))
        {
            // What is not NVIDIA's (`gfx90a`, `native`) names no architecture that could be
            // compiled for.
            list.split(',')
                .filter(|arch| arch.starts_with("sm_"))
                .for_each(|arch| self.out.add_arch(arch.to_owned()));
        } else if word.starts_with("-Wp,") {
            for_preprocessor(&[word.to_owned()], &mut self.out, DEPENDENCIES)?;
        } else if word == "-Xarch_device" {
            let inner = value(word)?;
            self.word(inner, next)?;
        } else if let Some(std) = word.strip_prefix("-cl-std=") {
            self.opencl.std = Some(std.to_owned());
        } else if word == "-target" {
            let triple = value(word)?;
            self.target(triple);
        } else if let Some(triple) = word.strip_prefix("--target=") {
            self.target(triple);
        } else if let Some(arch) =
            word.strip_prefix("-march=").or_else(|| word.strip_prefix("-mcpu="))
        {
            // With `-target nvptx64` this is the device's.
            if arch.starts_with("sm_") {
                self.out.add_arch(arch.to_owned());
            } else {
                self.out.drop(word, HOST);
            }
        } else if let Some(name) = FOLDERS.into_iter().find(|name| word.starts_with(name)) {
            let folder = &word[name.len()..];
            let folder = if folder.is_empty() { value(name)? } else { folder };
            self.folder(name, folder);
        } else if word == "-Xclang" {
            let proper = value(word)?;
            if is_of_a_plugin(proper) {
                // Its own value stands after another `-Xclang`.
                let (_, behind) = (next(), next().unwrap_or_default());
                self.out.drop(format!("-Xclang {proper} {behind}"), NOT_ALLOWED);
            } else if goes_to_the_compiler_proper(proper) {
                self.out.arguments.extend([word.to_owned(), proper.to_owned()]);
            } else {
                self.out.drop(format!("-Xclang {proper}"), NOT_ALLOWED);
            }
        } else if let Some((form, reason)) = dropped(word) {
            let behind = match form {
                Form::Next => Some(value(word)?),
                Form::Either if EITHER.contains(&word) => Some(value(word)?),
                Form::Flag | Form::Either | Form::Prefix => None,
            };
            let whole = behind.map_or(word.to_owned(), |value| format!("{word} {value}"));
            self.out.drop(whole, reason);
        } else {
            match leave(word) {
                Leave::Word => self.out.arguments.push(word.to_owned()),
                Leave::WithNext => {
                    let value = value(word)?.to_owned();
                    self.out.arguments.extend([word.to_owned(), value]);
                }
                Leave::No => self.out.drop(word, NOT_ALLOWED),
            }
        }
        Ok(())
    }

    fn folder(&mut self, name: &str, folder: &str) {
        if is_toolkit(&self.directory.join(folder)) {
            self.out.drop(format!("{name} {folder}"), TOOLKIT);
        } else {
            self.out.arguments.extend([name.to_owned(), folder.to_owned()]);
        }
    }

    /// A target of the device decides; one of the host says how wide its types are, which clang
    /// gives to CUDA's device side too, and all hosts of CUDA have the same.
    fn target(&mut self, triple: &str) {
        if triple.starts_with("nvptx") {
            self.opencl.target = Some(OpenClTarget::Nvptx64);
        } else if triple.starts_with("spir") {
            self.opencl.target = Some(OpenClTarget::Spirv64);
        } else {
            self.out.drop(format!("--target={triple}"), TARGETS);
        }
    }
}

/// Of options for another program's preprocessor, those that say what the code is: macros and
/// include paths. The device compilation has them too.
///
/// # Errors
/// One of them lacks its value.
pub(super) fn for_preprocessor(
    options: &[String],
    out: &mut Compilation,
    reason: &'static str,
) -> Result<(), String> {
    let telling = ["-D", "-U", "-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros"];
    let mut options = options.iter();
    while let Some(option) = options.next() {
        if let Some(list) = option.strip_prefix("-Wp,") {
            let list: Vec<_> = list.split(',').map(str::to_owned).collect();
            for_preprocessor(&list, out, reason)?;
        } else if let Some(name) = telling.into_iter().find(|name| option.starts_with(name))
            // `-include-pch` and its like are other options.
            && (option == name || name != "-include")
        {
            out.arguments.push(option.clone());
            if option == name {
                let value = options.next().ok_or_else(|| format!("`{name}` lacks its value"))?;
                out.arguments.push(value.clone());
            }
        } else {
            out.drop(option, reason);
        }
    }
    Ok(())
}

/// Options of clang proper that load a plugin, or talk to one. All have a value.
fn is_of_a_plugin(option: &str) -> bool {
    ["-load", "-plugin", "-add-plugin"].contains(&option) || option.starts_with("-plugin-arg-")
}

fn dropped(word: &str) -> Option<(&'static Form, &'static str)> {
    let fits = |form: &Form, name: &str| match form {
        Form::Flag | Form::Next => word == name,
        Form::Either | Form::Prefix => word.starts_with(name),
    };
    DROPPED
        .iter()
        .find(|(form, names, _)| names.iter().any(|name| fits(form, name)))
        .map(|(form, _, reason)| (form, *reason))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::words::split;

    fn read_words(text: &str, file: &str) -> Result<Meaning, String> {
        read(&split(text).expect("words"), Path::new("/p/build"), Path::new(file))
    }

    fn device(text: &str) -> Compilation {
        match read_words(text, "/p/k.cu") {
            Ok(Meaning::Device(compilation)) => compilation,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn what_the_code_is_stays() {
        for (given, wanted) in [
            ("-DA=1 -D B -UC -I.. -isystem s -c ../k.cu -o k.o", "-DA=1 -D B -UC -I .. -isystem s"),
            (
                "-std=c++20 -include x.h -ffast-math -fgpu-rdc",
                "-std=c++20 -include x.h -ffast-math -fgpu-rdc",
            ),
            ("-Wp,-DA,-MD,k.d -Xarch_device -DB -Xarch_host -DC", "-DA -DB"),
            ("-x cuda -MD -MF k.d -MTk.o -O2 -g -fPIC -Wall -Werror=x k.cu", ""),
            (
                "-working-directory sub -Xclang -fcuda-is-device",
                "-working-directory sub -Xclang -fcuda-is-device",
            ),
        ] {
            assert_eq!(device(given).arguments.join(" "), wanted, "{given}");
        }
    }

    #[test]
    fn architectures_are_collected() {
        let archs =
            device("--offload-arch=sm_70,sm_90a --cuda-gpu-arch=sm_80 --offload-arch=native").archs;
        assert_eq!(archs, ["sm_70", "sm_90a", "sm_80"]);
        assert_eq!(
            crate::project::compilation::highest(&archs).map(String::as_str),
            Some("sm_90a")
        );
    }

    #[test]
    fn the_language_decides() {
        for (words, file, wanted) in [
            ("-c k.cpp", "/p/k.cpp", Meaning::Host),
            ("-c k.cu --cuda-host-only", "/p/k.cu", Meaning::Host),
            ("-x c++ -c k.cu", "/p/k.cu", Meaning::Host),
            ("-x hip -c k.cpp", "/p/k.cpp", Meaning::Foreign("HIP")),
            ("-c k.hip", "/p/k.hip", Meaning::Foreign("HIP")),
        ] {
            assert_eq!(read_words(words, file), Ok(wanted), "{words}");
        }
        assert!(matches!(
            read_words("-x cuda ../k.cpp -x c++ b.cpp", "/p/k.cpp"),
            Ok(Meaning::Device(_))
        ));
        let opencl = read_words("-x cl -cl-std=CL1.2 -target nvptx64 k.h", "/p/k.h");
        let Ok(Meaning::Device(Compilation { opencl: Some(opencl), .. })) = opencl else {
            panic!("{opencl:?}")
        };
        assert_eq!(opencl.std.as_deref(), Some("CL1.2"));
        assert_eq!(opencl.target, Some(OpenClTarget::Nvptx64));
    }

    #[test]
    fn what_goes_says_why() {
        let dropped =
            device("-o k.o -ok2.o -mllvm -x --cuda-path=/usr/local/cuda -march=native -Xclang -load -Xclang p.so").dropped;
        let dropped: Vec<_> = dropped.iter().map(|it| it.argument.as_str()).collect();
        assert_eq!(
            dropped,
            [
                "-o k.o",
                "-ok2.o",
                "-mllvm -x",
                "--cuda-path=/usr/local/cuda",
                "-march=native",
                "-Xclang -load p.so"
            ]
        );
        assert!(read_words("-I", "/p/k.cu").unwrap_err().contains("lacks its value"));
    }
}
