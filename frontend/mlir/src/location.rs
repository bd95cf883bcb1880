//! What MLIR's locations say: lines of files, under names, several at once, or a call in a call.

use melior::ir::Location;

/// What locations in the input call it: the parser has no name for text at hand.
pub(crate) const INPUT: &str = "-";

/// Line and column of the first place in the input that a location has.
pub(crate) fn first_in(location: Location<'_>) -> Option<(usize, usize)> {
    let (line, column) =
        (location.file_line_col_range_start_line(), location.file_line_col_range_start_column());
    if location.is_file_line_col_range() {
        let file = location.file_line_col_range_filename();
        return (file.as_string_ref().as_str() == Ok(INPUT)).then_some((line, column));
    }
    parts(location).into_iter().find_map(first_in)
}

/// The locations that one is made of, in the order in which they are tried.
pub(crate) fn parts(location: Location<'_>) -> Vec<Location<'_>> {
    if location.is_name() {
        vec![location.name_child_location()]
    } else if location.is_fused() {
        (0..location.fused_num_locations()).map(|it| location.fused_location(it)).collect()
    } else if location.is_call_site() {
        vec![location.call_site_callee(), location.call_site_caller()]
    } else {
        Vec::new()
    }
}

/// The name of the first file that a location has.
pub(crate) fn file_of(location: Location<'_>) -> Option<String> {
    if location.is_file_line_col_range() {
        let name = location.file_line_col_range_filename();
        return name.as_string_ref().as_str().ok().map(str::to_owned);
    }
    parts(location).into_iter().find_map(file_of)
}
