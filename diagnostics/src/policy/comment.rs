//! Comments that allow a finding: `// heddle: allow(HD0103) all threads store the same flag`.
//!
//! After code a comment covers its own line; alone on a line it covers the next line, and over more
//! lines of comment the first one after them. `HEDDLE_BENIGN("reason")` of `heddle.h`, before an
//! access or alone on the line before it, allows races (HD01) likewise. `//` and `/* … */` begin a
//! comment in CUDA and OpenCL, `;` in LLVM IR. Several codes are separated by commas.
//!
//! **Promises**: without a reason nothing is allowed; what stands in a string or inside another
//! comment allows nothing; a comment that nearly says `heddle: allow` is told. **Does not**: parse
//! the language, or reach over a blank line.
//!
//! Told are also what other tools would understand (`NOLINT(HD0103)`), other words for `allow`
//! (`heddle-ignore HD0103`), a comment for documentation (`/// heddle: allow(…)`) and a later line
//! of a comment of several.

use crate::acceptance::may_be_accepted;
use crate::code::{Code, Family};
use crate::policy::scan::{Scanned, Spoken, scan};

/// One comment that speaks to Heddle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Comment {
    /// The line it is on, from 1.
    pub(crate) line: u32,
    /// The column of `heddle:`, in bytes, from 1.
    pub(crate) column: u32,
    /// The line it speaks about.
    pub(crate) covers: u32,
    /// What it allows.
    pub(crate) codes: Vec<Code>,
    /// Why.
    pub(crate) reason: String,
    /// What is not in order.
    pub(crate) faults: Vec<Fault>,
    /// `HEDDLE_BENIGN`: of use if any of its codes is.
    pub(crate) benign: bool,
}

/// What is not in order about a comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
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
    pub(crate) fn allows(&self, code: Code) -> bool {
        self.in_force() && self.codes.contains(&code)
    }

    /// Whether it allows anything.
    pub(crate) fn in_force(&self) -> bool {
        !self.reason.is_empty()
    }
}

const WORD: &str = "heddle:";
const BENIGN: &str = "HEDDLE_BENIGN(";

/// All comments of a text that speak to Heddle. `ir` says that it is LLVM IR.
pub(crate) fn comments(text: &str, ir: bool) -> Vec<Comment> {
    let scanned = scan(text, ir);
    let mut found = Vec::new();
    if !ir {
        found.extend((0..scanned.lines.len()).filter_map(|index| benign(&scanned, index)));
    }
    for spoken in &scanned.comments {
        let Spoken { line, start, text, alone, goes_on } = *spoken;
        // `///`, `//!`, `/**`, `;;` begin a comment that says something of the code.
        let plain = text.trim_start_matches(['/', '!', '*', '<', ';']);
        let plain = if goes_on { text.trim_start().trim_start_matches('*') } else { plain };
        let word = plain.trim_start();
        let is_own = plain.len() == text.len() && !goes_on;
        let said = word.strip_prefix(WORD);
        if said.is_none() && !is_nearly(word) && !is_of_another_form(word) {
            continue;
        }
        let said = said.filter(|_| is_own);
        let covers = if alone { next_code(&scanned, line) } else { line };
        let mut comment = Comment {
            line: number(line),
            column: number(start + text.len() - word.len()),
            covers: number(covers),
            codes: Vec::new(),
            reason: String::new(),
            faults: Vec::new(),
            benign: false,
        };
        match said {
            Some(said) => read(said, ir, &mut comment),
            None => comment.faults.push(Fault::Malformed),
        }
        found.push(comment);
    }
    found.sort_by_key(|it| (it.line, it.column));
    found
}

/// Whether a comment was meant to speak to Heddle: it begins with `heddle allow(` but for two
/// letters, and for signs between them.
fn is_nearly(text: &str) -> bool {
    let end = text.find(|c: char| !c.is_alphanumeric()).unwrap_or(text.len());
    let (word, rest) = (text[..end].to_lowercase(), text[end..].to_lowercase());
    let next = rest.trim_start_matches([' ', ':', '-']);
    let open = next.find('(').unwrap_or(next.len());
    open < next.len() && distance(&word, "heddle") + distance(next[..open].trim_end(), "allow") <= 2
}

/// Words that others say for `allow`.
const VERBS: [&str; 12] = [
    "allow", "allows", "accept", "disable", "expect", "ignore", "nolint", "off", "permit",
    "silence", "skip", "suppress",
];

/// Whether a comment asks for what `heddle: allow(…)` does in other words: `NOLINT(HD0103)`,
/// `heddle-ignore HD0103`, `allow(HD0103)`.
fn is_of_another_form(text: &str) -> bool {
    let words = |text: &str| {
        let end = text.find(|c: char| !c.is_alphanumeric()).unwrap_or(text.len());
        (text[..end].to_lowercase(), text[end..].to_owned())
    };
    let is_number = |text: &str| {
        let digits = text.to_lowercase().strip_prefix("hd").map(str::to_owned);
        digits.is_some_and(|it| it.len() == 4 && it.bytes().all(|it| it.is_ascii_digit()))
    };
    let (first, rest) = words(text);
    if first.starts_with("nolint") {
        let named = rest.trim_start().strip_prefix('(').and_then(|it| it.split_once(')'));
        let parts = named.map_or("", |(named, _)| named).split([',', ' ', '-']);
        return parts.into_iter().any(|it| is_number(it) || it.eq_ignore_ascii_case("heddle"));
    }
    let signs = [' ', ':', '-', '_', '=', '(', '['];
    let is_ours = distance(&first, "heddle") <= 1;
    let (verb, rest) = if is_ours { words(rest.trim_start_matches(signs)) } else { (first, rest) };
    let named = rest.trim_start_matches(signs);
    let end = named.find(|c: char| !c.is_alphanumeric() && c != '-').unwrap_or(named.len());
    let is_named = is_number(&named[..end]) || (is_ours && named[..end].parse::<Code>().is_ok());
    VERBS.contains(&&*verb) && is_named
}

/// The letters to change, add or take away that make one word of another.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut before = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let changed = before + usize::from(x != *y);
            before = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(before + 1);
        }
    }
    row[b.len()]
}

/// `HEDDLE_BENIGN("reason")` in code, on a line that is not its definition.
fn benign(scanned: &Scanned<'_>, index: usize) -> Option<Comment> {
    let (line, code) = (scanned.lines[index], &scanned.code[index]);
    let word = code.find(BENIGN)?;
    if code[..word].contains('#') {
        return None;
    }
    let inner = line[word + BENIGN.len()..].trim_start().strip_prefix('"');
    let (reason, rest) = inner.and_then(|it| it.split_once('"')).unwrap_or_default();
    let after = &code[line.len() - rest.len()..];
    let after = after.trim_start().trim_start_matches(')').trim_start().trim_start_matches(';');
    let alone = line[..word].trim().is_empty() && after.trim().is_empty();
    let reason = reason.trim().to_owned();
    let covers = if alone { next_code(scanned, index) } else { index };
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

/// The first line with code after this one and the comments that follow it; this one if a blank
/// line or the end of the text comes first.
fn next_code(scanned: &Scanned<'_>, index: usize) -> usize {
    let lines = scanned.lines.iter().zip(&scanned.code).enumerate().skip(index + 1);
    for (next, (line, code)) in lines {
        if line.trim().is_empty() {
            return index;
        }
        if !code.trim().is_empty() {
            return next;
        }
    }
    index
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
        let alone = one("a;\n  // heddle: allow(HD0103) x\n  // more\n  b;\n", false);
        assert_eq!((alone.line, alone.covers), (2, 4));
        let apart = one("a;\n  // heddle: allow(HD0103) x\n\n  b;\n", false);
        assert_eq!((apart.line, apart.covers), (2, 2), "a blank line parts them");
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
        for misspelt in [
            "hedle: allow(HD0103) x",
            "Heddle: allow(HD0103) x",
            "heddle allow(HD0103) x",
            "heddle: alow(HD0103) x",
            "heddel:allow(benign-race) x",
            "heddle-ignore HD0103",
            "heddle: ignore(HD0103) x",
            "heddle_disable(benign-race): x",
            "NOLINT(HD0103)",
            "NOLINTNEXTLINE(bugprone-branch-clone, heddle-benign-race) x",
            "allow(HD0103) x",
        ] {
            assert_eq!(faults(&format!("a; // {misspelt}\n")), [Fault::Malformed], "{misspelt}");
        }
        for form in [
            "a; /// heddle: allow(HD0103) x\n",
            "a; //! heddle: allow(HD0103) x\n",
            "a; ///< heddle: alow(HD0103) x\n",
            "/** heddle: allow(HD0103) x */ a;\n",
            "/*\n * heddle: allow(HD0103) x\n */\na;\n",
        ] {
            assert_eq!(faults(form), [Fault::Malformed], "{form}");
        }
        assert_eq!(one(";; heddle: allow(HD0103) x\n", true).faults, [Fault::Malformed]);
        assert!(!one("// heddle: allow(HD0103)\n", false).allows(Code::BenignRace));
    }

    #[test]
    fn a_benign_race_is_marked_by_a_macro() {
        let before = one("  HEDDLE_BENIGN(\"stores 1\") found = 1;\n", false);
        assert_eq!((before.covers, before.reason.as_str(), before.benign), (1, "stores 1", true));
        assert!(before.allows(Code::InterBlockRace) && !before.allows(Code::BarrierDivergence));
        assert_eq!(one("HEDDLE_BENIGN(\"x\");\nfound = 1;\n", false).covers, 2);
        assert_eq!(one("HEDDLE_BENIGN(\"x\");\n\nfound = 1;\n", false).covers, 1);
        assert_eq!(one("HEDDLE_BENIGN() x = 1;\n", false).faults, [Fault::NoReason]);
        assert_eq!(comments("#define HEDDLE_BENIGN(reason)\n", false), []);
    }

    #[test]
    fn other_text_is_left_alone() {
        for text in [
            "// see heddle: allow(HD0103) x\n",
            "heddle: allow(HD0103) x\n",
            "; heddle: allow(HD0103) x\n",
            "s = \"// heddle: allow(HD0103) x\";\n",
            "/*\n a = 1; // heddle: allow(HD0103) x\n*/\n",
            "s = R\"(\n// heddle: allow(HD0103) x\n)\";\n",
            "// HEDDLE_BENIGN(\"x\") a = 1;\n",
            "s = \"HEDDLE_BENIGN(\";\n",
            "// needle: all (of) them\n",
            "// heddle finds nothing here (HD0101 was repaired)\n",
            "// heddle does not allow HD0103 here\n",
            "// NOLINT(bugprone-branch-clone)\n",
            "// NOLINT\n",
            "// ignore the rest\n",
            "/// see `heddle: allow(HD0103) x`\n",
            "// // heddle: allow(HD0103) x\n",
        ] {
            assert_eq!(comments(text, false), [], "{text}");
        }
    }
}
