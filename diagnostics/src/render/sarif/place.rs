//! Places as SARIF locations.

use std::collections::BTreeMap;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_sarif::sarif::{
    ArtifactLocation, Location, LogicalLocation, Message, PhysicalLocation, Region,
};

use super::super::snippet;
use crate::source::{FileId, SourceMap};
use crate::span::{self, InstructionPlace, Place};

/// The folder in which Heddle ran.
const ROOT: &str = "%SRCROOT%";

/// What stands in a path as it is (RFC 3986, section 2.3), and the separator.
const PATH: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

/// The base folder by name; where it is, the reader knows.
pub(super) fn bases() -> BTreeMap<String, ArtifactLocation> {
    let root = ArtifactLocation::builder()
        .description(Message::from("the folder in which Heddle ran"))
        .build();
    BTreeMap::from([(ROOT.to_owned(), root)])
}

/// A place, with a message where there is something to say.
pub(super) fn location(sources: &SourceMap, place: &Place, message: Option<&str>) -> Location {
    let mut location = match place {
        Place::Source(at) => in_source(sources, at),
        Place::Instruction(at) => in_function(sources, at),
    };
    location.message = message.map(Message::from);
    location
}

/// A point of a source file.
pub(super) fn in_source(sources: &SourceMap, at: &span::Location) -> Location {
    let physical = PhysicalLocation::builder()
        .artifact_location(artifact(sources, at.file))
        .region(region(sources, at))
        .build();
    let mut location = Location::builder().physical_location(physical).build();
    location.logical_locations = at.function.as_deref().map(|name| vec![function(name)]);
    location
}

/// An instruction without a line: its function, and its text as the message of the file's first
/// line.
fn in_function(sources: &SourceMap, at: &InstructionPlace) -> Location {
    let InstructionPlace { file, function: name, ordinal, text: _ } = at;
    let mut logical = function(name);
    logical.fully_qualified_name = Some(format!("{name}:{ordinal}"));
    let mut location = Location::builder().logical_locations(vec![logical]).build();
    location.physical_location = file
        .map(|file| PhysicalLocation::builder().artifact_location(artifact(sources, file)).build());
    location
}

/// A function by name.
pub(super) fn function(name: &str) -> LogicalLocation {
    LogicalLocation::builder().name(name).kind("function").build()
}

fn artifact(sources: &SourceMap, file: FileId) -> ArtifactLocation {
    let path = sources.display_path(file);
    // A path upwards leaves the root that it would be relative to.
    let is_outside = path.starts_with("../");
    let path = if is_outside { sources.path(file).to_string_lossy().into() } else { path };
    let encoded = utf8_percent_encode(&path, PATH).to_string();
    if path.starts_with('/') {
        ArtifactLocation::builder().uri(format!("file://{encoded}")).build()
    } else if sources.is_virtual(file) {
        ArtifactLocation::builder().uri(encoded).build()
    } else {
        ArtifactLocation::builder().uri(encoded).uri_base_id(ROOT).build()
    }
}

/// The line, and what would be underlined in it. Places count bytes, SARIF counts code points here.
fn region(sources: &SourceMap, at: &span::Location) -> Region {
    let mut region = Region::builder().start_line(i64::from(at.line)).build();
    if at.column == 0 {
        return region;
    }
    let (start, end) = match sources.line(at.file, at.line) {
        Some(line) => {
            let bytes = snippet::underline(&line, at.column as usize);
            let points = |end: usize| line.get(..end).map_or(end, |text| text.chars().count()) + 1;
            (points(bytes.start), Some(points(bytes.end)))
        }
        None => (at.column as usize, None),
    };
    region.start_column = i64::try_from(start).ok();
    region.end_column = end.and_then(|end| i64::try_from(end).ok());
    region
}
