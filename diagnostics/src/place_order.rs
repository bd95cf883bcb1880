//! The order of places in a report.
//!
//! **Promises**: it goes by display paths, and so does not depend on the order in which files came
//! into the map.

use std::sync::Arc;

use crate::source::SourceMap;
use crate::span::{Location, Place};

/// Display path, line, column, then function and ordinal: an order that does not depend on file
/// ids.
pub(crate) type PlaceKey =
    (Option<Arc<str>>, u32, u32, Option<Arc<str>>, u32, Vec<(Arc<str>, u32, u32)>);

/// What a place is sorted by.
pub(crate) fn key_of_place(sources: &SourceMap, place: &Place) -> PlaceKey {
    let path = place.file().map(|file| sources.display_path(file));
    match place {
        Place::Source(Location { file: _, line, column, function, inlined_at }) => {
            let calls = inlined_at.iter();
            let calls = calls
                .map(|call| (sources.display_path(call.file), call.line, call.column))
                .collect();
            (path, *line, *column, function.clone(), 0, calls)
        }
        Place::Instruction(at) => (path, 0, 0, Some(at.function.clone()), at.ordinal, Vec::new()),
    }
}
