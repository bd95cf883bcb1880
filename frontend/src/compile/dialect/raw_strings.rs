//! An OpenCL program that its file gives as a literal of C++, `R"( … )"`, so that a host can
//! include the file as the text of the program.
//!
//! **Promises**: the program is what the delimiters enclose, each line where it was.
//! Comments and lines of the preprocessor outside of the literals stay, as the host has them
//! between two literals.
//! **Does not**: know a file that has anything else outside of its literals.

/// How clang's message on the start of such a literal reads in C.
pub(super) const MISSED: &str = "unknown type name 'R'";

/// The most characters that a delimiter has.
const DELIMITER: usize = 16;

/// The text with blanks in place of the delimiters, where it is one or several literals.
pub(super) fn program_in(text: &[u8]) -> Option<Vec<u8>> {
    let mut program = text.to_vec();
    let (mut at, mut found) = (0, false);
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        if rest[0].is_ascii_whitespace() {
            at += 1;
        } else if rest.starts_with(b"//") || rest.starts_with(b"#") {
            at += rest.iter().position(|it| *it == b'\n').unwrap_or(rest.len());
        } else if rest.starts_with(b"/*") {
            at += find(rest, b"*/")? + 2;
        } else {
            let name = rest.strip_prefix(b"R\"")?;
            let open = name.iter().take(DELIMITER + 1).position(|it| *it == b'(')?;
            let close = [b")", &name[..open], b"\""].concat();
            let start = at + 2 + open + 1;
            let end = start + find(text.get(start..)?, &close)?;
            program[at..start].fill(b' ');
            at = end + close.len();
            program[end..at].fill(b' ');
            found = true;
        }
    }
    found.then_some(program)
}

fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    text.windows(part.len()).position(|it| it == part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_is_between_the_delimiters() {
        let text = b"// R\"(\nR\"==(\nkernel void k() { f(\")\"); }\n)==\"\n#include \"b.cl\"\nR\"(x)\" /* ) */";
        let program = "// R\"(\n     \nkernel void k() { f(\")\"); }\n    \n#include \"b.cl\"\n   x   /* ) */";
        assert_eq!(program_in(text).as_deref(), Some(program.as_bytes()));
        for other in ["int R;", "R\"(x)", "R\"(x)\";", "char s[] = R\"(x)\";", "// none\n", "R"] {
            assert_eq!(program_in(other.as_bytes()), None, "{other}");
        }
    }
}
