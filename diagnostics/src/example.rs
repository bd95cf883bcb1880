//! Reads the examples out of a page of `docs/codes/`, so that they can run as tests.
//!
//! An example is a fenced block whose info string starts with a language Heddle reads: `cuda`,
//! `opencl` or `llvm`. The word `fixed` after it says that the block is the repaired twin and must
//! have no finding. The word `dynamic` says that only a run shows the finding (`heddle run`).
//! Inside, lines follow the form of the tests: a `launch:` comment, and `~ HD0101` where a finding
//! must appear.
//!
//! **Does not**: run anything, or look at other fenced blocks (`text`, `sh`).

/// A language that an example can be written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Lang {
    /// CUDA C++, a `.cu` file.
    Cuda,
    /// OpenCL C, a `.cl` file.
    OpenCl,
    /// LLVM IR, a `.ll` file.
    Llvm,
}

impl Lang {
    /// The file name extension, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Lang::Cuda => "cu",
            Lang::OpenCl => "cl",
            Lang::Llvm => "ll",
        }
    }

    fn of(word: &str) -> Option<Lang> {
        match word {
            "cuda" => Some(Lang::Cuda),
            "opencl" => Some(Lang::OpenCl),
            "llvm" => Some(Lang::Llvm),
            _ => None,
        }
    }
}

/// A fenced block of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The language.
    pub lang: Lang,
    /// The text between the fences.
    pub code: String,
    /// Whether the block shows the finding; `false` for a repaired twin.
    pub expects_finding: bool,
    /// Whether only a run tells, and no static check.
    pub dynamic: bool,
}

/// The examples of a page, in order.
pub fn examples(page: &str) -> Vec<Example> {
    let mut out = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let Some(info) = line.strip_prefix("```") else { continue };
        let body: String = lines
            .by_ref()
            .take_while(|line| *line != "```")
            .flat_map(|line| [line, "\n"])
            .collect();
        let mut words = info.split_whitespace();
        let Some(lang) = words.next().and_then(Lang::of) else { continue };
        let words: Vec<_> = words.collect();
        let expects_finding = !words.contains(&"fixed");
        let dynamic = words.contains(&"dynamic");
        out.push(Example { lang, code: body, expects_finding, dynamic });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::Code;

    #[test]
    fn blocks_of_other_languages_are_skipped() {
        let page = "```text\n```\nx\n```cuda\na\nb\n```\n```opencl fixed\nc\n```\n";
        let expected = [
            Example {
                lang: Lang::Cuda,
                code: "a\nb\n".into(),
                expects_finding: true,
                dynamic: false,
            },
            Example {
                lang: Lang::OpenCl,
                code: "c\n".into(),
                expects_finding: false,
                dynamic: false,
            },
        ];
        assert_eq!(examples(page), expected);
    }

    #[test]
    fn pages_name_their_code_and_mark_it_in_their_examples() {
        for &code in Code::ALL {
            let page = code.page();
            let head = format!("# {}: {}\n", code.number(), code.slug());
            assert!(page.starts_with(&head), "{code}: the page must start with `{}`", head.trim());
            let found: Vec<_> = examples(page).iter().map(|it| it.expects_finding).collect();
            // A fault of ours that an input shows is repaired.
            if code == Code::InternalError {
                assert!(found.is_empty(), "{code}: no input can show it");
            } else {
                assert_eq!(found, [true, false], "{code}: example, then twin");
            }
            for example in examples(page) {
                let marker = format!("~ {}", code.number());
                assert_eq!(
                    example.code.contains(&marker),
                    example.expects_finding,
                    "{code}:\n{}",
                    example.code
                );
                assert!(example.code.contains("launch:"), "{code}: an example needs a launch line");
            }
        }
    }
}
