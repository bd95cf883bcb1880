//! Where instrumented instructions are, for a reader: source lines, or the instruction.

use std::path::Path;

use heddle_diagnostics::{FileId, InstructionPlace, Location, Place, SourceMap};
use heddle_frontend::instrument;
use heddle_frontend::llvm;
use heddle_runtime::Site;

/// The sites with places in files of the map.
pub(super) fn places(sites: &[instrument::Site], map: &SourceMap, module: FileId) -> Vec<Site> {
    sites
        .iter()
        .map(|site| Site { place: place(site, map, module), what: site.what.to_owned() })
        .collect()
}

fn place(site: &instrument::Site, map: &SourceMap, module: FileId) -> Place {
    match &site.location {
        Some(at) => {
            let calls =
                at.chain().skip(1).filter(|it| it.line > 0).map(|it| point(it, map)).collect();
            Place::Source(point(at, map).inlined_at(calls))
        }
        None => Place::Instruction(InstructionPlace {
            file: Some(module),
            function: site.function.as_str().into(),
            ordinal: site.ordinal.unwrap_or(0),
            text: Some(site.text.as_str().into()),
        }),
    }
}

fn point(at: &llvm::Location, map: &SourceMap) -> Location {
    let path = Path::new(&at.directory).join(&at.file);
    let location = Location::new(map.add(path), at.line, at.column);
    if at.function.is_empty() { location } else { location.in_function(at.function.as_str()) }
}
