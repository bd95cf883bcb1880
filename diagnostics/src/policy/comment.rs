//! Comments that allow a finding: `// heddle: allow(HD0103) all threads store the same flag`.
//!
//! After code a comment covers its own line; alone on a line it covers the next line that is
//! neither blank nor a comment. `HEDDLE_BENIGN("reason")` of `heddle.h`, before an access or alone
//! on a line, allows races (HD01) likewise. `//` and `/* … */` begin one in CUDA and OpenCL, `;` in
//! LLVM IR. Several codes are separated by commas.
//!
//! **Promises**: without a reason nothing is allowed. **Does not**: parse the language; a string
//! literal that holds such a comment is taken for one.

use crate::acceptance::may_be_accepted;
use crate::code::{Code, Family};

/// One comment that speaks to Heddle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// The line it is on, from 1.
    pub line: u32,
    /// The column of `heddle:`, in bytes, from 1.
    pub column: u32,
    /// The line it speaks about.
    pub covers: u32,
    /// What it allows.
    pub codes: Vec<Code>,
    /// Why.
    pub reason: String,
    /// What is not in order.
    pub faults: Vec<Fault>,
    /// `HEDDLE_BENIGN`: of use if any of its codes is.
    pub benign: bool,
}

/// What is not in order about a comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// No reason is given.
    NoReason,
    /// This word is no code.
    UnknownCode(String),
    /// This code cannot be allowed.
    NotAcceptable(Code),
    /// It does not have the form `heddle: allow(…) …`.
    Malformed,
}

impl Comment {
    /// Whether it allows findings of this code.
    pub fn allows(&self, code: Code) -> bool {
        self.in_force() && self.codes.contains(&code)
    }

    /// Whether it allows anything.
    pub fn in_force(&self) -> bool {
        !self.reason.is_empty()
    }
}

const WORD: &str = "heddle:";
const BENIGN: &str = "HEDDLE_BENIGN(";

/// All comments of a text that speak to Heddle. `ir` says that it is LLVM IR.
pub fn comments(text: &str, ir: bool) -> Vec<Comment> {
    let lines: Vec<_> = text.lines().collect();
    let mut found = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        if !ir {
            found.extend(benign(&lines, index));
        }
        let Some((start, word)) = start_of_comment(line, ir) else { continue };
        let alone = line[..start].trim().is_empty();
        let covers = if alone { next_code(&lines, index, ir) } else { index };
        let mut comment = Comment {
            line: number(index),
            column: number(word),
            covers: number(covers),
            codes: Vec::new(),
            reason: String::new(),
            faults: Vec::new(),
            benign: false,
        };
        read(&line[word + WORD.len()..], ir, &mut comment);
        found.push(comment);
    }
    found
}

/// `HEDDLE_BENIGN("reason")` on a line that is not its definition.
fn benign(lines: &[&str], index: usize) -> Option<Comment> {
    let line = lines[index];
    let word = line.find(BENIGN)?;
    if line[..word].contains('#') || line[..word].contains("//") {
        return None;
    }
    let inner = &line[word + BENIGN.len()..];
    let inner = inner.trim_start().strip_prefix('"');
    let (reason, rest) = inner.and_then(|it| it.split_once('"')).unwrap_or_default();
    let behind = rest.trim_start().trim_start_matches(')').trim_start().trim_start_matches(';');
    let alone = line[..word].trim().is_empty() && !is_code(behind, false);
    let reason = reason.trim().to_owned();
    let covers = if alone { next_code(lines, index, false) } else { index };
    Some(Comment {
        line: number(index),
        column: number(word),
        covers: number(covers),
        codes: Code::ALL.iter().copied().filter(|it| it.family() == Family::Races).collect(),
        faults: if reason.is_empty() { vec![Fault::NoReason] } else { Vec::new() },
        reason,
        benign: true,
    })
}

fn number(index: usize) -> u32 {
    u32::try_from(index + 1).unwrap_or(u32::MAX)
}

/// Where the comment begins, and where its `heddle:` does, which is its first word.
fn start_of_comment(line: &str, ir: bool) -> Option<(usize, usize)> {
    let begins: &[&str] = if ir { &[";"] } else { &["//", "/*"] };
    let word = line.find(WORD)?;
    let before = line[..word].trim_end();
    let start = begins.iter().find_map(|begin| before.strip_suffix(begin))?.len();
    Some((start, word))
}

/// The next line with code, or the last line if there is none.
fn next_code(lines: &[&str], index: usize, ir: bool) -> usize {
    let next = lines.iter().enumerate().skip(index + 1).find(|(_, line)| is_code(line, ir));
    next.map_or(index, |(next, _)| next)
}

/// Whether a line is neither blank nor a comment.
fn is_code(line: &str, ir: bool) -> bool {
    let line = line.trim();
    let begins: &[&str] = if ir { &[";"] } else { &["//", "/*"] };
    !line.is_empty() && !begins.iter().any(|begin| line.starts_with(begin))
}

fn read(text: &str, ir: bool, comment: &mut Comment) {
    let inner = text.trim_start().strip_prefix("allow").map(str::trim_start);
    let parts = inner.and_then(|it| it.strip_prefix('(')).and_then(|it| it.split_once(')'));
    let Some((codes, rest)) = parts else {
        comment.faults.push(Fault::Malformed);
        return;
    };
    for word in codes.split(',').map(str::trim) {
        match word.parse::<Code>() {
            Ok(code) if may_be_accepted(code) => comment.codes.push(code),
            Ok(code) => comment.faults.push(Fault::NotAcceptable(code)),
            Err(_) => comment.faults.push(Fault::UnknownCode(word.to_owned())),
        }
    }
    // The reason ends where the comment does, or where another one begins.
    let ends: &[&str] = if ir { &[";"] } else { &["*/", "//"] };
    let end = ends.iter().filter_map(|end| rest.find(end)).min().unwrap_or(rest.len());
    rest[..end].trim().trim_start_matches([':', '-']).trim().clone_into(&mut comment.reason);
    if comment.reason.is_empty() {
        comment.faults.push(Fault::NoReason);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str, ir: bool) -> Comment {
        let mut found = comments(text, ir);
        assert_eq!(found.len(), 1, "{text}");
        found.remove(0)
    }

    #[test]
    fn a_comment_covers_its_line_or_the_next_with_code() {
        let behind = one("a;\nb; // heddle: allow(HD0103) why not\nc;\n", false);
        assert_eq!((behind.line, behind.column, behind.covers), (2, 7, 2));
        assert_eq!((behind.codes, behind.reason.as_str()), (vec![Code::BenignRace], "why not"));
        let alone = one("a;\n  // heddle: allow(HD0103) x\n  // more\n\n  b;\n", false);
        assert_eq!((alone.line, alone.covers), (2, 5));
        assert_eq!(
            one("/* heddle: allow(benign-race): same value */ x;\n", false).reason,
            "same value"
        );
        let ir = one("  store i32 0, ptr %p ; heddle: allow(HD0101, HD0102) x ; ~ HD0101\n", true);
        assert_eq!((ir.codes.len(), ir.reason.as_str(), ir.covers), (2, "x", 1));
    }

    #[test]
    fn what_is_not_in_order_is_said() {
        let faults = |text: &str| one(text, false).faults;
        assert_eq!(faults("// heddle: allow(HD0103)\n"), [Fault::NoReason]);
        assert_eq!(faults("x; // heddle: allow(HD0103)  // ~ HD0902\n"), [Fault::NoReason]);
        assert_eq!(faults("// heddle: allow(HD7) why\n"), [Fault::UnknownCode("HD7".to_owned())]);
        assert_eq!(
            faults("// heddle: allow(HD0999) why\n"),
            [Fault::NotAcceptable(Code::InternalError)]
        );
        assert_eq!(faults("// heddle: deny(HD0103) why\n"), [Fault::Malformed]);
        assert_eq!(faults("// heddle: allow HD0103 why\n"), [Fault::Malformed]);
        assert!(!one("// heddle: allow(HD0103)\n", false).allows(Code::BenignRace));
    }

    #[test]
    fn a_benign_race_is_marked_by_a_macro() {
        let before = one("  HEDDLE_BENIGN(\"stores 1\") found = 1;\n", false);
        assert_eq!((before.covers, before.reason.as_str(), before.benign), (1, "stores 1", true));
        assert!(before.allows(Code::InterBlockRace) && !before.allows(Code::BarrierDivergence));
        assert_eq!(one("HEDDLE_BENIGN(\"x\");\n\nfound = 1;\n", false).covers, 3);
        assert_eq!(one("HEDDLE_BENIGN() x = 1;\n", false).faults, [Fault::NoReason]);
        assert_eq!(comments("#define HEDDLE_BENIGN(reason)\n", false), []);
    }

    #[test]
    fn other_text_is_left_alone() {
        for text in [
            "// see heddle: allow(HD0103) x\n",
            "heddle: allow(HD0103) x\n",
            "; heddle: allow(HD0103) x\n",
        ] {
            assert_eq!(comments(text, false), [], "{text}");
        }
    }
}
