//! Which options of clang a project may give: those that say what the code is.
//!
//! A project is what is checked, so it is not trusted: its files come from whoever wrote them. Of
//! the options that it gives (the commands of `compile_commands.json`, `clang-args` in
//! `heddle.toml`) clang gets those of a few meanings: preprocessing, language, floating point, the
//! target and the code model. The rest goes, and is named. What a user types after `--` is his own
//! and goes to clang as it is.
//!
//! **Sound because**: an option with a value is passed on only if its name is listed, and none that
//! is listed loads code or writes a file. An option `-f…` or `-m…` without a value can name neither
//! a file nor code; those that turn on a file of a default name are listed in [`WRITERS`].
//!
//! **Does not**: keep a project from including any file that the user can read;
//! [`crate::visible`] keeps such text out of reports.

/// Why an option goes.
pub const NOT_ALLOWED: &str = "a project may not give clang this option; if you trust it, give it on the command line after `--`";

/// Options with a value, in the same word or the next.
const VALUED: &[&str] = &[
    "-D",
    "-U",
    "-I",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-cxx-isystem",
    "-imacros",
    "-iprefix",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-isysroot",
];

/// Options whose value is the next word, and only there.
const NEXT: &[&str] = &["-include", "--sysroot", "-working-directory"];

/// Options whose value comes after `=` in the same word.
const JOINED: &[&str] = &[
    "-cl-ext",
    "-cl-std",
    "-fbracket-depth",
    "-fclang-abi-compat",
    "-fconstexpr-depth",
    "-fconstexpr-steps",
    "-fdenormal-fp-math",
    "-fdenormal-fp-math-f32",
    "-fexcess-precision",
    "-fexec-charset",
    "-ffile-prefix-map",
    "-ffp-contract",
    "-ffp-eval-method",
    "-ffp-exception-behavior",
    "-ffp-model",
    "-fgnuc-version",
    "-fgpu-default-stream",
    "-finput-charset",
    "-flax-vector-conversions",
    "-fmacro-prefix-map",
    "-fms-compatibility-version",
    "-fmsc-version",
    "-foperator-arrow-depth",
    "-fpack-struct",
    "-fstrict-flex-arrays",
    "-ftemplate-depth",
    "-ftls-model",
    "-ftrivial-auto-var-init",
    "-fvisibility",
    "-fwchar-type",
    "--gcc-install-dir",
    "--gcc-toolchain",
    "-mabi",
    "-mcmodel",
    "-mlong-double",
    "-std",
    "--std",
    "-stdlib",
    "--sysroot",
    "--target",
    "-working-directory",
];

/// Options without a value.
const FLAGS: &[&str] = &[
    "-ansi",
    "-nobuiltininc",
    "-nostdinc",
    "-nostdinc++",
    "-nostdlibinc",
    "-pthread",
    "-trigraphs",
    "-undef",
];

/// What options `-f…` without a value start with, after a `no-`, that make clang load something,
/// write a file, or print.
const WRITERS: &[&str] = &[
    "apinotes",
    "auto-profile",
    "basic-block",
    "build-session",
    "callgraph",
    "cas",
    "coverage",
    "crash",
    "cs-profile",
    "debug",
    "depfile",
    "diagnostics",
    "driver",
    "dump",
    "embed-bitcode",
    "emit",
    "hip",
    "implicit-module",
    "instrument",
    "integrated",
    "ixit",
    "lto",
    "memory-profile",
    "module",
    "offload",
    "optimization-record",
    "pass-plugin",
    "pch",
    "plugin",
    "prebuilt",
    "proc-stat",
    "profile",
    "record",
    "retain",
    "save",
    "stack-usage",
    "syntax-only",
    "test-coverage",
    "thin",
    "time",
    "use-",
    "verify",
    "xray",
];

/// What becomes of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leave {
    /// Clang gets this word.
    Word,
    /// Clang gets this word and the next one.
    WithNext,
    /// It goes.
    No,
}

/// Whether a project may give this option to clang's driver.
pub(crate) fn leave(word: &str) -> Leave {
    if NEXT.contains(&word) || VALUED.contains(&word) {
        return Leave::WithNext;
    }
    let (name, has_value) = match word.split_once('=') {
        Some((name, _)) => (name, true),
        None => (word, false),
    };
    let allowed = match has_value {
        true => JOINED.contains(&name),
        false => FLAGS.contains(&word) || is_plain(word),
    };
    // `-include` is not among these: its joined form cannot be told from `-include-pch`.
    let joined = VALUED.iter().any(|name| word.starts_with(name));
    if allowed || joined { Leave::Word } else { Leave::No }
}

/// `-f…`, `-m…` or `-cl-…` of letters, digits and dashes, which turns something of the language or
/// the target on or off.
fn is_plain(word: &str) -> bool {
    let letters = |it: &str| {
        !it.is_empty() && it.bytes().all(|it| it.is_ascii_alphanumeric() || b"-_.+".contains(&it))
    };
    if let Some(name) = word.strip_prefix("-f") {
        let bare = name.strip_prefix("no-").unwrap_or(name);
        return letters(name) && !WRITERS.iter().any(|it| bare.starts_with(it));
    }
    match (word.strip_prefix("-cl-"), word.strip_prefix("-m")) {
        (Some(name), _) => letters(name),
        (None, Some(name)) => {
            letters(name) && !name.starts_with("llvm") && !name.starts_with("link")
        }
        (None, None) => false,
    }
}

/// Whether a project may give this word to the compiler proper, by `-Xclang`: options in one word,
/// for its others have another form than the driver's.
pub(crate) fn goes_to_the_compiler_proper(word: &str) -> bool {
    (word.starts_with("-f") || word.starts_with("-D")) && leave(word) == Leave::Word
}

/// Of arguments that a project's own file gives: those that clang gets, and those that go.
pub(crate) fn sorted(words: &[String]) -> (Vec<String>, Vec<String>) {
    let (mut kept, mut gone) = (Vec::new(), Vec::new());
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if word == "-Xclang" {
            match words.next() {
                Some(proper) if goes_to_the_compiler_proper(proper) => {
                    kept.extend([word.clone(), proper.clone()]);
                }
                proper => gone.push(format!("{word} {}", proper.map_or("", String::as_str))),
            }
            continue;
        }
        match leave(word) {
            Leave::Word => kept.push(word.clone()),
            Leave::WithNext => {
                kept.extend([Some(word.clone()), words.next().cloned()].into_iter().flatten())
            }
            // Warnings say nothing about the code, so they are nobody's loss.
            Leave::No if word.starts_with("-W") && !word.contains(',') => kept.push(word.clone()),
            Leave::No if word == "-w" => kept.push(word.clone()),
            Leave::No => gone.push(word.clone()),
        }
    }
    (kept, gone)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(text: &str) -> String {
        let words: Vec<_> = text.split(' ').map(str::to_owned).collect();
        sorted(&words).0.join(" ")
    }

    #[test]
    fn what_says_what_the_code_is_stays() {
        for text in [
            "-DA=1 -D B=/x -UC -I.. -I inc -isystem s -iquote q -idirafter d -include x.h",
            "-std=c++20 -ffast-math -fno-exceptions -fgpu-rdc -fshort-enums -funsigned-char",
            "-fconstexpr-steps=5 -ftemplate-depth=900 -fvisibility=hidden -mcmodel=large",
            "-m64 -mlong-double-64 -cl-fast-relaxed-math -Wall -Wno-x=y -w -nostdinc",
            "-Xclang -fcuda-is-device -Xclang -DA --sysroot=/s --gcc-toolchain=/g",
        ] {
            assert_eq!(kept(text), text);
        }
    }

    /// Options that load code, write files, or bring more options.
    const HOSTILE: [&str; 44] = [
        "-fplugin=p.so",
        "-fplugin-arg-p-x=y",
        "-fpass-plugin=p.so",
        "-Xclang -load -Xclang p.so",
        "-Xclang -add-plugin -Xclang p",
        "-Xclang -plugin -Xclang p",
        "-Xclang -fpass-plugin=p.so",
        "-Xclang -stats-file=o",
        "-Xclang -fixit",
        "-Xclang -fixit=o",
        "-Xclang -o -Xclang o",
        "-Xclang -dependency-file -Xclang o",
        "-Xclang -main-file-name -Xclang o",
        "-Xclang -target-feature -fplugin=p.so o",
        "-Xclang",
        "-Xarch_device -fplugin=p.so",
        "-Xpreprocessor -MD",
        "-Xassembler -x",
        "-Xlinker -x",
        "--config=o",
        "--config o",
        "-ivfsoverlay o",
        "-ivfsoverlayo",
        "-vfsoverlay o",
        "-include-pch o",
        "-foptimization-record-file=o",
        "-fsave-optimization-record",
        "-fproc-stat-report=o",
        "-fproc-stat-report",
        "-ftime-trace",
        "-ftime-trace=o",
        "-fprofile-use=o",
        "-fcrash-diagnostics-dir=o",
        "-fmodules -fmodules-cache-path=o",
        "-fmodule-file=o",
        "-fdump-record-layouts",
        "-save-temps=obj",
        "-MD -MF o",
        "-o o",
        "-mllvm -x",
        "-mlink-builtin-bitcode o",
        "-B /x -resource-dir=/x -specs=x",
        "-Wp,-MD,o -Wl,x -Wa,x",
        "@o -- o - x.cu -ccc-gcc-name x --driver-mode=cl",
    ];

    #[test]
    fn what_loads_writes_or_brings_more_goes() {
        for text in HOSTILE {
            assert_eq!(kept(text), "", "{text}");
        }
    }

    #[test]
    fn no_order_of_options_lets_one_through() {
        // Drawn lists: what is left of them is what is left of their parts, so that no option takes
        // another one for its value or hides it.
        let sound = ["-DA", "-D A", "-I inc", "-include x.h", "-std=c++17", "-fno-rtti", "-Wall"];
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut draw = |count: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            usize::try_from(state % count as u64).expect("below the count")
        };
        for _ in 0..20_000 {
            let (mut words, mut wanted) = (Vec::new(), Vec::new());
            for _ in 0..=draw(6) {
                if draw(2) == 0 {
                    let option = sound[draw(sound.len())];
                    words.extend(option.split(' ').map(str::to_owned));
                    wanted.push(option);
                } else {
                    // What ends with `-Xclang` takes the next word, whatever it is.
                    let option = HOSTILE[draw(HOSTILE.len())];
                    words.extend(option.split(' ').map(str::to_owned));
                    words.extend((option == "-Xclang").then(|| "-load".to_owned()));
                }
            }
            let (kept, gone) = sorted(&words);
            assert_eq!(kept.join(" "), wanted.join(" "), "{words:?}");
            assert_eq!(gone.is_empty(), wanted.join(" ") == words.join(" "), "{words:?}");
        }
    }
}
