//! Reports of parts of a run, as documents that go from one machine to another and are put together
//! there.
//!
//! A document is a JSON object: the part's [`Scope`], or `null` where files were named one by one,
//! whether passes or kernels were left out, and its [`record`]. Parts of one project under the same
//! options make the report that one run would have made.
//!
//! **Promises**: a part that is missing, that is there twice, that belongs to another project or
//! other options, or that read another text of a file than one before, is a finding HD0901: parts
//! put together never claim more than was looked at.
//! **Does not**: check anything again; whoever writes a part is believed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::code::Code;
use crate::finding::Finding;
use crate::kernel::KernelReport;
use crate::record::{self, BadRecord};
use crate::render::escaped;
use crate::report::Report;
use crate::scope::Scope;
use crate::source::SourceMap;

#[derive(Serialize, Deserialize)]
struct Document {
    project: Option<Scope>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    partial: bool,
    record: Box<RawValue>,
}

/// A part, read back.
#[derive(Debug)]
pub struct Part {
    /// What messages call it: the name of its file.
    pub name: String,
    scope: Option<Scope>,
    partial: bool,
    kernels: Vec<KernelReport>,
    findings: Vec<Finding>,
}

/// The document of a report.
pub fn write(report: &Report) -> String {
    let record = record::write(report.sources(), report.kernels(), report.loose_findings());
    let record = RawValue::from_string(record).expect("a record is JSON");
    let project = report.scope().cloned();
    let document = Document { project, partial: report.is_partial(), record };
    escaped(serde_json::to_string(&document).expect("plain data serialises")) + "\n"
}

/// Reads a document; its places point into `sources`.
///
/// # Errors
/// The text is no such document, or one of another version.
pub fn read(name: &str, text: &str, sources: &SourceMap) -> Result<Part, BadRecord> {
    let Document { project: scope, partial, record } =
        serde_json::from_str(text).map_err(|error| {
            BadRecord::new(format!(
                "this is no part of a run, as `--format record` writes it: {error}"
            ))
        })?;
    let (kernels, findings) = record::read(record.get(), sources)?;
    Ok(Part { name: name.to_owned(), scope, partial, kernels, findings })
}

/// The report of all parts. `wrong` is what is known to be wrong with them already.
pub fn merge(sources: Arc<SourceMap>, parts: Vec<Part>, mut wrong: Vec<Finding>) -> Report {
    let scope = whole(&parts, &mut wrong);
    let partial = parts.iter().any(|part| part.partial);
    let (mut kernels, mut findings) = (Vec::new(), wrong);
    for part in parts {
        kernels.extend(part.kernels);
        findings.extend(part.findings);
    }
    let report = Report::new(sources, kernels, findings).partial_if(partial);
    match scope {
        Some(scope) => report.of_project(scope),
        None => report,
    }
}

/// What the parts together are about; what does not fit goes to `wrong`.
fn whole(parts: &[Part], wrong: &mut Vec<Finding>) -> Option<Scope> {
    let scoped: Vec<_> =
        parts.iter().filter_map(|it| Some((&it.name, it.scope.as_ref()?))).collect();
    let (first_name, first) = scoped.first()?;
    for part in parts.iter().filter(|it| it.scope.is_none()) {
        let message = format!(
            "{}: this is of files that were named, and {first_name} is of a project",
            part.name
        );
        wrong.push(refused(message));
    }
    let mut by_index: BTreeMap<u32, &str> = BTreeMap::new();
    let mut units = Vec::new();
    let mut files: BTreeMap<&String, (&String, &String)> = BTreeMap::new();
    let mut looked_up: BTreeMap<&String, (&String, &bool)> = BTreeMap::new();
    for (name, scope) in &scoped {
        let count = |scope: &Scope| scope.shard.map(|(_, count)| count);
        if scope.identity != first.identity || count(scope) != count(first) {
            wrong.push(refused(format!(
                "{name}: this is not of the same run as {first_name}: the project, the options or the number of parts differ"
            )));
            continue;
        }
        let index = scope.shard.map_or(1, |(index, _)| index);
        if let Some(other) = by_index.insert(index, name) {
            wrong.push(refused(format!("{name}: this is part {index} again, after {other}")));
        }
        units.extend(scope.units.iter().cloned());
        let differs = |(file, hash): &(&String, &String)| {
            files.get(file).is_some_and(|(_, before)| before != hash)
        };
        if let Some((file, _)) = scope.files.iter().find(differs) {
            let other = files[file].0;
            wrong.push(refused(format!(
                "{name}: this is not of the same run as {other}: `{file}` was another one there"
            )));
        }
        let turned = |(path, there): &(&String, &bool)| {
            looked_up.get(path).is_some_and(|(_, before)| before != there)
        };
        if let Some((path, there)) = scope.looked_up.iter().find(turned) {
            let other = looked_up[path].0;
            let (here, before) = if *there { ("there", "not") } else { ("not there", "there") };
            wrong.push(refused(format!(
                "{name}: this is not of the same run as {other}: `{path}` was {here}, and {before} before"
            )));
        }
        for (path, there) in &scope.looked_up {
            looked_up.entry(path).or_insert((name, there));
        }
        for (file, hash) in &scope.files {
            files.entry(file).or_insert((name, hash));
        }
    }
    let count = first.shard.map_or(1, |(_, count)| count);
    for index in (1..=count).filter(|index| !by_index.contains_key(index)) {
        wrong.push(refused(format!("part {index} of {count} is missing")));
    }
    for option in unmet_in_all(&scoped) {
        wrong.push(refused(format!("`{option}`: no kernel of any part has a use for this")));
    }
    units.sort();
    let files = files.into_iter().map(|(file, (_, hash))| (file.clone(), hash.clone())).collect();
    Some(Scope {
        units,
        shard: None,
        unmet: Vec::new(),
        files,
        looked_up: BTreeMap::new(),
        ..(*first).clone()
    })
}

fn unmet_in_all(parts: &[(&String, &Scope)]) -> BTreeSet<String> {
    let sets = parts.iter().map(|(_, scope)| scope.unmet.iter().cloned().collect::<BTreeSet<_>>());
    sets.reduce(|all, more| &all & &more).unwrap_or_default()
}

fn refused(message: String) -> Finding {
    Finding::new(Code::BadInput, message)
        .help("give the records of all parts of one run: `heddle check -p build/ --shard 1/3 --format record=1.json`")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(index: u32, count: u32, identity: &str, unmet: &[&str]) -> Part {
        let scope = Scope {
            units: vec![format!("{index}.cu")],
            shard: Some((index, count)),
            identity: identity.to_owned(),
            unmet: unmet.iter().map(|&it| it.to_owned()).collect(),
            ..Scope::default()
        };
        let name = format!("{index}.json");
        Part { name, scope: Some(scope), partial: false, kernels: Vec::new(), findings: Vec::new() }
    }

    fn said(parts: Vec<Part>) -> Vec<String> {
        let report = merge(Arc::new(SourceMap::new("/p")), parts, Vec::new());
        report.loose_findings().iter().map(|it| it.message.clone()).collect()
    }

    #[test]
    fn what_does_not_make_a_whole_is_said() {
        assert_eq!(said(vec![part(1, 2, "a", &[]), part(2, 2, "a", &[])]), [""; 0]);
        assert_eq!(said(vec![part(1, 2, "a", &[])]), ["part 2 of 2 is missing"]);
        let twice = said(vec![part(1, 1, "a", &[]), part(1, 1, "a", &[])]);
        assert_eq!(twice, ["1.json: this is part 1 again, after 1.json"]);
        let other = said(vec![part(1, 2, "a", &[]), part(2, 2, "b", &[])]);
        assert!(
            other[0].contains("not of the same run") && other[1].contains("part 2 of 2"),
            "{other:?}"
        );
        let plain = Part { scope: None, ..part(1, 1, "a", &[]) };
        assert!(said(vec![part(1, 1, "a", &[]), plain])[0].contains("files that were named"));
    }

    #[test]
    fn an_option_is_unmet_if_no_part_meets_it() {
        let unmet =
            |other: &[&str]| said(vec![part(1, 2, "a", &["--arg n"]), part(2, 2, "a", other)]);
        assert_eq!(unmet(&[]), [""; 0]);
        assert_eq!(unmet(&["--arg n"]), ["`--arg n`: no kernel of any part has a use for this"]);
    }

    #[test]
    fn a_document_reads_back() {
        let sources = Arc::new(SourceMap::new("/p"));
        let scope = part(1, 1, "a", &[]).scope.expect("one");
        let report = Report::new(sources.clone(), Vec::new(), vec![refused("x".to_owned())]);
        let text = write(&report.of_project(scope.clone()));
        let part = read("1.json", &text, &sources).expect("reads back");
        assert_eq!((part.scope, part.findings.len()), (Some(scope), 1));
        assert!(read("1.json", "{}", &sources).is_err());
        assert!(read("1.json", &text.replace(record::VERSION, "0"), &sources).is_err());
    }
}
