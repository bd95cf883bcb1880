//! Where instrumented instructions are, for a reader: source lines, or the instruction.

use std::path::PathBuf;

use heddle_diagnostics::{FileId, InstructionPlace, Location, Place, SourceMap};
use heddle_execute::instrument;
use heddle_frontend::CompileOptions;
use heddle_runtime::Site;

use crate::ir_lines::instruction_lines;
use crate::source::Source;
use crate::visible::Visible;

/// The sites with places in files of the map.
pub(crate) fn places(
    sites: &[instrument::Site],
    map: &SourceMap,
    module: FileId,
    source: &Source,
) -> Vec<Site> {
    let lacks = sites.iter().any(|it| it.location.is_none() && it.ordinal.is_some());
    let text = (lacks && source.is_ir_text()).then(|| map.text(module)).flatten();
    let lines = text.map(|text| instruction_lines(&text)).unwrap_or_default();
    if source.is_ir() {
        // Nothing was compiled here: what the debug info names stands for what was read then.
        let chains = sites.iter().filter_map(|it| it.location.as_ref()).flat_map(|it| it.chain());
        let named: Vec<_> = chains.map(|it| PathBuf::from(it.path())).collect();
        Visible::of(source, &CompileOptions::default()).admit(&named, map);
    }
    let of_text = |site: &instrument::Site| {
        let lines = lines.get(&site.function)?;
        let (line, column) = *lines.get(site.ordinal? as usize)?;
        Some(Location::new(module, line, column))
    };
    sites
        .iter()
        .map(|site| Site {
            place: place(site, map, module, of_text(site)),
            what: site.what.to_owned(),
        })
        .collect()
}

fn place(
    site: &instrument::Site,
    map: &SourceMap,
    module: FileId,
    of_text: Option<Location>,
) -> Place {
    match (&site.location, of_text) {
        (Some(at), _) => {
            let calls =
                at.chain().skip(1).filter(|it| it.line > 0).map(|it| point(it, map)).collect();
            Place::Source(point(at, map).inlined_at(calls))
        }
        (None, Some(line)) => Place::Source(line),
        (None, None) => Place::Instruction(InstructionPlace {
            file: Some(module),
            function: site.function.as_str().into(),
            ordinal: site.ordinal.unwrap_or(0),
            text: Some(site.text.as_str().into()),
        }),
    }
}

fn point(at: &heddle_llvm::Location, map: &SourceMap) -> Location {
    let location = Location::new(map.add(at.path()), at.line, at.column);
    if at.function.is_empty() { location } else { location.in_function(at.function.as_str()) }
}
