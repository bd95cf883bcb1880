//! What a function that is not modelled is called in messages.
//!
//! **Promises**: a mangled name is shown as its source has it; a function that the built-in headers
//! declare for what they give no meaning to is shown by words, since its name is in no source.
//! **Does not**: say which function of a library the user called: the headers have one for several.

use crate::symbol::demangled;

/// How the names of such functions of the headers begin.
const OF_HEADERS: &str = "heddle_";

/// The words for those whose names do not say enough.
const WORDS: [(&str, &str); 6] = [
    ("algorithm", "an algorithm of Thrust"),
    ("block_through_memory", "a collective of CUB that goes through shared memory"),
    ("cub_call", "an algorithm of CUB for the whole device"),
    ("group_barrier_arrive", "`arrive` at the barrier of a group"),
    ("group_barrier_wait", "`wait` at the barrier of a group"),
    ("odd_part_of_warp", "a collective of CUB for a part of a warp that is no power of two"),
];

/// What a function is called in messages.
pub(super) fn shown(symbol: &str) -> String {
    let name = demangled(symbol);
    let Some(own) = name.strip_prefix(OF_HEADERS) else { return name };
    let words = WORDS.iter().find(|(known, _)| *known == own);
    words.map_or_else(|| own.replace('_', " "), |(_, words)| (*words).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_headers_are_words() {
        assert_eq!(shown("heddle_algorithm"), "an algorithm of Thrust");
        assert_eq!(shown("_Z28heddle_tile_of_several_warpsv"), "tile of several warps");
        assert_eq!(shown("_Z8functionPi"), "function");
        assert_eq!(shown("function"), "function");
    }
}
