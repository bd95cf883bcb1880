//! Names for findings that stay the same while the code around them changes.
//!
//! A fingerprint is a hash of the code, the kernel's name, the name of the file, and for each
//! access the text of its source line (without blanks and comments) with the first word of what
//! happens there (`write`, `read`). Line numbers, folders, thread numbers and values are not in it:
//! code above may grow, a project may move, another run may be the witness. Findings that would
//! have one name are told apart by a running number in the order of the report.
//!
//! **Promises**: the same on all machines and in all versions, until the number in [`KEY`] changes.
//! **Does not**: survive a change of the line itself; that is another finding.

use std::collections::BTreeMap;
use std::path::Path;

use crate::finding::{Finding, Label};
use crate::source::SourceMap;
use crate::span::Place;

/// What kind of fingerprint this is, with its version; the key in SARIF.
pub(crate) const KEY: &str = "heddleFinding/v1";

/// The fingerprints of findings, in their order: 16 hexadecimal digits, a colon, the running number
/// from 0.
pub(crate) fn fingerprints<'a>(
    sources: &SourceMap,
    findings: impl IntoIterator<Item = &'a Finding>,
) -> Vec<String> {
    let mut seen = BTreeMap::<_, usize>::new();
    let number = |finding: &'a Finding| {
        let hash = hash(sources, finding);
        let file = finding.place().and_then(Place::file).map(|it| sources.display_path(it));
        let count = seen.entry((hash.clone(), file)).or_default();
        *count += 1;
        format!("{hash}:{}", *count - 1)
    };
    findings.into_iter().map(number).collect()
}

fn hash(sources: &SourceMap, finding: &Finding) -> String {
    let mut hasher = blake3::Hasher::new();
    // Each part ends with a byte that none contains, so that no two lists of parts read the same.
    let mut part = |text: &str| {
        hasher.update(text.as_bytes());
        hasher.update(&[0]);
    };
    part(finding.code.number());
    part(finding.kernel.as_deref().unwrap_or_default());
    let file = finding.place().and_then(Place::file).map(|it| sources.display_path(it));
    let file = file.as_deref().map(Path::new).and_then(Path::file_name);
    part(&file.unwrap_or_default().to_string_lossy());
    if finding.labels.is_empty() {
        part(&finding.message);
    }
    for Label { place, text } in &finding.labels {
        part(&line(sources, place));
        part(text.split_whitespace().next().unwrap_or_default());
    }
    hasher.finalize().to_hex()[..16].to_owned()
}

/// The text at a place, without blanks and without a comment after it.
fn line(sources: &SourceMap, place: &Place) -> String {
    let text = match place {
        Place::Source(at) => sources.line(at.file, at.line),
        Place::Instruction(at) => at.text.as_deref().map(str::to_owned),
    };
    let text = text.unwrap_or_default();
    let code = text.split("//").next().unwrap_or_default();
    code.split_whitespace().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::Code;
    use crate::span::Location;

    fn prints(path: &str, text: &str, lines: &[u32]) -> Vec<String> {
        let sources = SourceMap::new("/p");
        let file = sources.add_text(path, text);
        let finding = |line: &u32| {
            Finding::new(Code::IntraBlockRace, format!("a race at {line}"))
                .kernel("k")
                .label(Location::new(file, *line, 3), format!("write by thread {line}"))
        };
        let findings: Vec<_> = lines.iter().map(finding).collect();
        fingerprints(&sources, &findings)
    }

    #[test]
    fn unrelated_edits_change_nothing() {
        let before = prints("k.cu", "a;\ns[t] = 1;\n", &[2]);
        assert_eq!(prints("k.cu", "a;\nb;\n  s[ t ] = 1; // why\n", &[3]), before);
        assert_eq!(prints("moved/k.cu", "s[t] = 1;\n", &[1]), before);
        assert_ne!(prints("k.cu", "a;\ns[t] = 2;\n", &[2]), before);
        assert_ne!(prints("other.cu", "a;\ns[t] = 1;\n", &[2]), before);
        assert_eq!(before, ["4d5635df7686e00e:0"], "a stored fingerprint stays good");
    }

    #[test]
    fn findings_of_one_name_are_numbered() {
        let [first, second] = &prints("k.cu", "s[t] = 1;\ns[t] = 1;\n", &[1, 2])[..] else {
            panic!("two fingerprints")
        };
        assert!(first.ends_with(":0") && second.ends_with(":1"), "{first} {second}");
        assert_eq!(first.split(':').next(), second.split(':').next());
    }
}
