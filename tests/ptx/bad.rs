//! Text that is not PTX is refused with its line and column, in words about PTX.

use std::path::Path;
use std::process::Command;

use heddle_frontend::{CompileOptions, Input, InputError, InputErrorKind, Language, load};

fn loaded(text: &[u8]) -> Result<usize, InputError> {
    let input = Input::memory("k.ptx", text).with_language(Language::Ptx);
    load(&input, &CompileOptions::default()).map(|it| it.kernels.len())
}

fn corpus() -> Vec<Vec<u8>> {
    let folder = std::fs::read_dir("tests/kernels/ptx").expect("tests/kernels/ptx");
    let mut paths: Vec<_> = folder.flatten().map(|it| it.path()).collect();
    paths.sort();
    paths.iter().map(|it| std::fs::read(it).expect("a kernel")).collect()
}

/// What is wrong with an answer, if anything is: LLVM must have no reason to complain.
fn complaint(answer: Result<usize, InputError>) -> Option<String> {
    let error = answer.err()?;
    let placed = error.message.starts_with("line ") && error.message.contains(", column ");
    match error.kind {
        InputErrorKind::BadPtx if placed => None,
        InputErrorKind::NoKernels | InputErrorKind::Empty => None,
        _ => Some(format!("{:?}: {}", error.kind, error.message)),
    }
}

#[test]
fn ptx_that_is_cut_off_is_refused_with_its_place() {
    let mut wrong = Vec::new();
    for text in corpus() {
        for end in (0..text.len()).step_by(11) {
            if let Some(what) = complaint(loaded(&text[..end])) {
                wrong.push(format!("{what}\n{}", String::from_utf8_lossy(&text[..end])));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong, the first: {}", wrong.len(), wrong[0]);
}

#[test]
fn ptx_with_bytes_changed_is_read_or_refused_with_its_place() {
    let (mut wrong, mut read, mut random) = (Vec::new(), 0, 1u64);
    let mut below = |bound: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (random >> 33) as usize % bound.max(1)
    };
    let corpus = corpus();
    for _ in 0..3000 {
        let mut text = corpus[below(corpus.len())].clone();
        for _ in 0..=below(3) {
            let at = below(text.len());
            match below(4) {
                0 => drop(text.remove(at)),
                1 => text.insert(at, b"{}[]();,.%@!:0159rd\n\"/"[below(22)]),
                2 => text[at] = below(256) as u8,
                _ => {
                    let from = below(text.len());
                    text[at] = text[from];
                }
            }
        }
        let answer = loaded(&text);
        read += usize::from(answer.is_ok());
        if let Some(what) = complaint(answer) {
            wrong.push(format!("{what}\n{}", String::from_utf8_lossy(&text)));
        }
    }
    assert!(wrong.is_empty(), "{} wrong, the first: {}", wrong.len(), wrong[0]);
    assert!(read > 300, "only {read} were PTX still");
}

/// What `heddle check` says of a file of this name, and how it ends.
fn said(name: &str, text: &[u8]) -> (Option<i32>, String) {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("the folder for tests is writable");
    let output = Command::new(env!("CARGO_BIN_EXE_heddle"))
        .args(["check", "--block", "64"])
        .arg(&path)
        .output()
        .expect("heddle starts");
    let text = String::from_utf8_lossy(&output.stderr) + String::from_utf8_lossy(&output.stdout);
    (output.status.code(), text.into_owned())
}

#[test]
fn bad_files_get_one_message_each() {
    let head = ".version 8.5\n.target sm_80\n.address_size 64\n";
    let entry = format!("{head}.visible .entry k()\n{{\n");
    for (name, text, message) in [
        ("empty.ptx", String::new(), "the input is empty"),
        (
            "newer.ptx",
            ".version 11.0\n.target sm_300\n".to_owned(),
            "line 1, column 10: `.version 11.0` is newer than the versions that are known, up to 9.x",
        ),
        ("host.ptx", "\u{7f}ELF\u{2}\u{1}\u{1}".to_owned(), "line 1, column 1: unexpected"),
        ("c.ptx", "int main() {}\n".to_owned(), "line 1, column 1: expected `.version`"),
        ("wide.ptx", head.replace("64", "32"), "line 3, column 1: addresses of 32 bits"),
        ("none.ptx", head.to_owned(), "there is no kernel in it"),
        (
            "register.ptx",
            format!("{entry}\tadd.s32 %r1, %r2, 1;\n}}\n"),
            "line 6, column 10: `%r1` is not declared",
        ),
        ("label.ptx", format!("{entry}\tbra $L_1;\n}}\n"), "line 6, column 6: no label `$L_1`"),
        ("brace.ptx", entry.clone(), "line 5, column 1: this `{` has no `}`"),
        (
            "call.ptx",
            format!("{entry}\tcall.uni f, ();\n}}\n"),
            "line 6, column 2: no function is called `f`",
        ),
        (
            "semicolon.ptx",
            format!("{entry}\tbar.sync 0\n\tret;\n}}\n"),
            "line 7, column 2: expected `,` or `;`",
        ),
    ] {
        let (code, said) = said(name, text.as_bytes());
        assert!(said.contains(message), "{name}: {said}");
        assert_eq!(said.matches("error").count(), 1, "{name}: {said}");
        assert_eq!(code, Some(2), "{name}: {said}");
    }
}

#[test]
fn each_command_takes_ptx() {
    let kernel = "tests/kernels/ptx/proved_only_one.ptx";
    for (arguments, said) in [
        (&["check", "--grid", "1", "--block", "64"][..], "4 properties proved"),
        (&["lift"][..], "store param_0[0 +: 4]"),
        (&["barriers", "--grid", "1", "--block", "64"][..], "no kernel here has named barriers"),
        (&["progress"][..], "k: needs nothing"),
        (&["run", "--grid", "1", "--block", "64", "--fill", "i32[64]:zeros"][..], ""),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_heddle"))
            .args(arguments)
            .arg(kernel)
            .output()
            .expect("heddle starts");
        let text =
            String::from_utf8_lossy(&output.stderr) + String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains(said), "{arguments:?}: {text}");
    }
}
