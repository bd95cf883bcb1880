//! Which characters of a text are code, and where its comments begin.
//!
//! **Promises**: what stands in a string, a character or another comment begins no comment; the
//! code of a line has the line's length, so that columns agree. **Does not**: preprocess; in code
//! that is switched off by `#if`, comments are comments all the same.

/// A line of a comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spoken<'a> {
    /// The index of its line.
    pub(super) line: usize,
    /// Where its text begins in the line, after `//`, `/*` or `;`.
    pub(super) start: usize,
    /// The text, up to its end or that of the line.
    pub(super) text: &'a str,
    /// Whether there is no code before it.
    pub(super) alone: bool,
    /// Whether it is a later line of a comment of several, and what stands there.
    pub(super) goes_on: bool,
}

/// A text, scanned.
#[derive(Debug, Default)]
pub(super) struct Scanned<'a> {
    /// Its lines.
    pub(super) lines: Vec<&'a str>,
    /// The same with blanks in place of comments, and `"` in place of what stands in strings.
    pub(super) code: Vec<String>,
    pub(super) comments: Vec<Spoken<'a>>,
}

/// What a character stands in.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Within {
    Code,
    /// Up to this character; whether a backslash hides one.
    Quoted(u8, bool),
    /// `R"x(…)x"`, up to this.
    Raw(String),
    Block,
    /// A comment of a line that goes on after a backslash.
    Line,
}

/// Scans CUDA and OpenCL, or LLVM IR.
pub(super) fn scan(text: &str, ir: bool) -> Scanned<'_> {
    let mut scanned = Scanned::default();
    let mut within = Within::Code;
    for (number, line) in text.lines().enumerate() {
        let mut code = String::with_capacity(line.len());
        let bytes = line.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let rest = &bytes[at..];
            let (length, mark) = match &within {
                Within::Code => {
                    let begins = |text: &str| rest.starts_with(text.as_bytes());
                    let is_line = if ir { begins(";") } else { begins("//") };
                    if is_line || (!ir && begins("/*")) {
                        let start = at + if ir { 1 } else { 2 };
                        let text = line.get(start..).unwrap_or_default();
                        let end = if is_line { None } else { text.find("*/") };
                        scanned.comments.push(Spoken {
                            line: number,
                            start,
                            text: &text[..end.unwrap_or(text.len())],
                            alone: code.trim().is_empty(),
                            goes_on: false,
                        });
                        match (is_line, end) {
                            (true, _) => {
                                within = if ir { Within::Code } else { Within::Line };
                                (rest.len(), b' ')
                            }
                            (false, Some(end)) => (start - at + end + 2, b' '),
                            (false, None) => {
                                within = Within::Block;
                                (rest.len(), b' ')
                            }
                        }
                    } else if let Some((length, end)) = raw(rest).filter(|_| !ir) {
                        within = Within::Raw(end);
                        (length, b'"')
                    } else if rest[0] == b'"'
                        || (rest[0] == b'\'' && !ir && !is_digit_before(&code))
                    {
                        within = Within::Quoted(rest[0], !ir);
                        (1, rest[0])
                    } else {
                        (1, rest[0])
                    }
                }
                Within::Quoted(_, true) if rest[0] == b'\\' => (rest.len().min(2), b'"'),
                Within::Quoted(end, _) => {
                    if rest[0] == *end {
                        within = Within::Code;
                    }
                    (1, b'"')
                }
                Within::Raw(end) => match line[at..].find(end.as_str()) {
                    Some(found) => {
                        let length = found + end.len();
                        within = Within::Code;
                        (length, b'"')
                    }
                    None => (rest.len(), b'"'),
                },
                Within::Line => (rest.len(), b' '),
                Within::Block => {
                    let end = line[at..].find("*/");
                    let text = &line[at..at + end.unwrap_or(rest.len())];
                    let (alone, goes_on) = (true, true);
                    scanned.comments.push(Spoken { line: number, start: at, text, alone, goes_on });
                    match end {
                        Some(found) => {
                            within = Within::Code;
                            (found + 2, b' ')
                        }
                        None => (rest.len(), b' '),
                    }
                }
            };
            // A character of several bytes is code, whichever it is.
            let mark = if mark.is_ascii() { char::from(mark) } else { 'x' };
            code.extend(std::iter::repeat_n(mark, length));
            at += length;
            while !line.is_char_boundary(at) {
                code.push('x');
                at += 1;
            }
        }
        // A string ends with its line, unless a backslash stands there, and so does a comment;
        // compilers take blanks after the backslash for none.
        let ends = match within {
            Within::Quoted(..) => !line.ends_with('\\'),
            Within::Line => !line.trim_end().ends_with('\\'),
            Within::Code | Within::Raw(_) | Within::Block => false,
        };
        if ends {
            within = Within::Code;
        }
        scanned.lines.push(line);
        scanned.code.push(code);
    }
    scanned
}

/// Whether a quote parts digits: `1'000`.
fn is_digit_before(code: &str) -> bool {
    code.bytes().next_back().is_some_and(|it| it.is_ascii_hexdigit())
}

/// The length of the beginning of a raw string, and what ends it.
fn raw(text: &[u8]) -> Option<(usize, String)> {
    let rest = text.strip_prefix(b"R\"")?;
    let open = rest.iter().position(|it| *it == b'(')?;
    let name = std::str::from_utf8(&rest[..open]).ok()?;
    let is_name = name.len() <= 16 && !name.contains([' ', ')', '\\', '"']);
    is_name.then(|| (2 + open + 1, format!("){name}\"")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str, ir: bool) -> Vec<String> {
        let scanned = scan(text, ir);
        for (line, code) in scanned.lines.iter().zip(&scanned.code) {
            assert_eq!(line.len(), code.len(), "{line}");
        }
        scanned.code
    }

    #[test]
    fn strings_and_comments_are_told_from_code() {
        assert_eq!(code("a; // b \"", false), ["a;       "]);
        assert_eq!(code("f(\"// x\", '\"'); b", false), ["f(\"\"\"\"\"\", '\"\"); b"]);
        assert_eq!(code("a /* b\n// c */ d\ne", false), ["a     ", "        d", "e"]);
        assert_eq!(code("x = R\"a(\n)\" // y\n)a\"; z", false)[2], "\"\"\"; z");
        assert_eq!(code("n = 1'000; // é", false)[0].trim_end(), "n = 1'000;");
        assert_eq!(code("c\"x;\\22\" ; y", true), ["c\"\"\"\"\"\"\"    "]);
        assert_eq!(code("é = \"é\\\"\"; a", false).len(), 1);
    }

    #[test]
    fn comments_begin_where_they_do() {
        let found = |text: &'static str| {
            let comments = scan(text, false).comments;
            let comments = comments.into_iter().filter(|it| !it.goes_on);
            comments.map(|it| (it.line, it.text, it.alone)).collect::<Vec<_>>()
        };
        assert_eq!(found("a; // b"), [(0, " b", false)]);
        assert_eq!(found("// a \\\n// b \\ \n// c\n// d"), [(0, " a \\", true), (3, " d", true)]);
        assert_eq!(found("/* b */ c; // d // e"), [(0, " b ", true), (0, " d // e", false)]);
        assert_eq!(found("/*\n// no\n*/ // yes"), [(0, "", true), (2, " yes", true)]);
        assert_eq!(found("s = \"// no\";"), []);
    }
}
