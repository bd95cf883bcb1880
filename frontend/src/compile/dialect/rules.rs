//! What is written otherwise: for a message of clang the rule, and for a rule the line as clang
//! wants it.
//!
//! **Promises**: a line is changed at the place of the message only, and has one meaning after it;
//! what a rule does not recognise it leaves.
//! **Does not**: read files (names of includes are `includes`' to find), or compile.

use super::includes;
use super::shared::shared_object;

/// What is written otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rule {
    /// `asm("mov.u32 %0, %clusterid.x;" …)`: the `%` of a register is doubled.
    Register,
    /// `"r"(a) "l"(b)` among the operands of inline PTX: a comma comes between.
    OperandComma,
    /// `k << < 1, 32 >> > ()`: the brackets of a launch are put together.
    LaunchBrackets,
    /// `k<<<grid, {32, 4}>>>()`: a list of sizes becomes a `dim3` of them.
    LaunchSizes,
    /// `static` before a function that was declared without: left out.
    StaticAgain,
    /// `__shared__ T x;` where `T` has a constructor, which no thread runs: memory of that size.
    SharedObject,
    /// `extern const dim3 blockDim;` of the source's own, beside that of CUDA: left out.
    OwnIndex,
    /// `template <> __host__ __device__` of a template for the device: `__host__` is left out.
    Specialisation,
    /// `T::type()` in a template, where `T::type` turns out to be a type: `typename` comes before.
    Typename,
    /// `#include "Sub\\Name.h"` of the file `sub/name.h`: its name as the system has it.
    IncludeName,
}

/// What a kernel knows of its place, which CUDA declares.
const INDICES: [&str; 5] = ["threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize"];

/// How clang's messages of a missing `typename` begin.
const MISSED_TYPENAME: [&str; 2] = [
    "missing 'typename' prior to dependent type name",
    "template argument for template type parameter must be a type; did you forget 'typename'",
];

impl Rule {
    /// The rule for a message of clang.
    pub(super) fn of(message: &str) -> Option<Rule> {
        match message {
            "invalid % escape in inline assembly string" => Some(Rule::Register),
            "expected ')'" => Some(Rule::OperandComma),
            "expected expression" => Some(Rule::LaunchBrackets),
            "initialization is not supported for __shared__ variables" => Some(Rule::SharedObject),
            other if includes::is_missing(other) => Some(Rule::IncludeName),
            other if MISSED_TYPENAME.iter().any(|it| other.starts_with(it)) => Some(Rule::Typename),
            other => {
                if other.starts_with("static declaration of '")
                    && other.ends_with("' follows non-static declaration")
                {
                    return Some(Rule::StaticAgain);
                }
                if other.starts_with("no function template matches function template special") {
                    return Some(Rule::Specialisation);
                }
                let rest = other.strip_prefix("redeclaration of '")?;
                let (name, _) = rest.split_once("' with a different type")?;
                INDICES.contains(&name).then_some(Rule::OwnIndex)
            }
        }
    }

    /// The rule for what stands at `at`.
    pub(super) fn at(self, line: &str, at: usize) -> Rule {
        match (self, line.as_bytes().get(at)) {
            (Rule::LaunchBrackets, Some(b'{')) => Rule::LaunchSizes,
            (it, _) => it,
        }
    }

    /// The line with what stands at `at` written otherwise.
    pub(super) fn apply(self, line: &str, at: usize) -> Option<String> {
        let (before, after) = (line.get(..at)?, line.get(at..)?);
        match self {
            Rule::Register => {
                // The error stands a few bytes after the sign.
                let near = line.get(..line.len().min(at + 1))?;
                let sign = near.rfind('%').filter(|sign| at - (*sign).min(at) <= 3)?;
                let follows = line[sign + 1..].starts_with(|c: char| c.is_ascii_lowercase());
                (follows && !line[..sign].ends_with('%'))
                    .then(|| format!("{}%{}", &line[..sign], &line[sign..]))
            }
            Rule::OperandComma => {
                let operand = before.trim_end().strip_suffix(')')?;
                let open = opening(operand)?;
                let is_operand = operand[..open].trim_end().ends_with('"');
                (is_operand && after.starts_with('"')).then(|| format!("{before},{after}"))
            }
            Rule::LaunchSizes => {
                let start = before.trim_end();
                // Within the brackets, where nothing but sizes can be a list.
                let (_, given) = start.rsplit_once("<<<")?;
                let is_size = given.is_empty() || given.ends_with(',');
                (is_size && !given.contains([';', '>'])).then(|| format!("{before}dim3{after}"))
            }
            Rule::StaticAgain => {
                let (start, rest) = before.rsplit_once("static ")?;
                let is_alone = !start.ends_with(|c: char| c.is_alphanumeric() || c == '_');
                (is_alone && !rest.contains([';', '}'])).then(|| format!("{start}{rest}{after}"))
            }
            Rule::Specialisation => {
                let (start, rest) = before.split_once("__host__ ")?;
                let is_both = start.contains("__device__ ") || rest.contains("__device__ ");
                let is_one =
                    start.trim_start().starts_with("template") && !before.contains([';', '}']);
                (is_both && is_one).then(|| format!("{start}{rest}{after}"))
            }
            Rule::LaunchBrackets => {
                let bracket = after.chars().next().filter(|c| ['<', '>'].contains(c))?;
                let two = [bracket, bracket].iter().collect::<String>();
                let start = before.trim_end();
                let gap = " ".repeat(before.len() - start.len());
                (start.ends_with(&two) && !gap.is_empty())
                    .then(|| format!("{start}{bracket}{gap}{}", &after[1..]))
            }
            Rule::SharedObject => shared_object(before, after),
            Rule::Typename => {
                // A name that a macro made is not in the line.
                let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
                let rest = after.trim_start_matches(is_word);
                let is_qualified = rest.starts_with("::") || rest.starts_with('<');
                (is_qualified && !before.ends_with(is_word) && !before.ends_with("typename "))
                    .then(|| format!("{before}typename {after}"))
            }
            // Needs to know where files are.
            Rule::IncludeName => None,
            Rule::OwnIndex => {
                let name = after.trim_end().strip_suffix(';')?;
                let is_alone =
                    before.trim_start().starts_with("extern ") && INDICES.contains(&name);
                (is_alone && !before.contains([';', '{', '('])).then(String::new)
            }
        }
    }

    /// What was done, for the warning.
    pub(super) fn said(self) -> &'static str {
        match self {
            Rule::Register => "`%` before the name of a register of inline PTX is taken as `%%`",
            Rule::OperandComma => "a comma is put between two operands of inline PTX",
            Rule::LaunchBrackets => "the brackets of a launch are put together",
            Rule::LaunchSizes => "a list of the sizes of a launch is taken as a `dim3`",
            Rule::StaticAgain => "`static` is left out where a function was declared without it",
            Rule::SharedObject => "the constructor of a `__shared__` variable is not run",
            Rule::OwnIndex => "a declaration of what CUDA declares itself is left out",
            Rule::Specialisation => {
                "a specialisation of a template for the device alone is taken as one for it"
            }
            Rule::Typename => {
                "`typename` is put before a type that depends on a template's arguments"
            }
            Rule::IncludeName => "the name of a file is taken whatever its case and its slashes",
        }
    }
}

/// Where the bracket opens whose contents end with the text.
fn opening(text: &str) -> Option<usize> {
    let mut depth = 0_u32;
    for (at, c) in text.char_indices().rev() {
        match c {
            ')' => depth += 1,
            '(' if depth == 0 => return Some(at),
            '(' => depth -= 1,
            '"' => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn applied(rule: Rule, line: &str, at: &str) -> Option<String> {
        rule.apply(line, line.find(at).expect("the place is in the line"))
    }

    #[test]
    fn each_rule_writes_its_place_otherwise() {
        let asm = "asm(\"mov.u32 %0, %clusterid.x;\" : \"=r\"(x));";
        let doubled = asm.replace("%c", "%%c");
        assert_eq!(applied(Rule::Register, asm, "lusterid"), Some(doubled.clone()));
        assert_eq!(applied(Rule::Register, &doubled, "lusterid"), None);
        let operands = "asm(\"\" ::\"r\"((f(a))) \"l\"(b));";
        let with = operands.replace(" \"l\"", " ,\"l\"");
        assert_eq!(applied(Rule::OperandComma, operands, "\"l\""), Some(with));
        assert_eq!(applied(Rule::OperandComma, "f(a) \"b\"", "\"b\""), None);
        assert_eq!(
            applied(Rule::LaunchBrackets, "k << <1, 2>>>();", "<1"),
            Some("k <<< 1, 2>>>();".to_owned())
        );
        assert_eq!(
            applied(Rule::LaunchBrackets, "k<<<1, 2 >>  >();", ">("),
            Some("k<<<1, 2 >>>  ();".to_owned())
        );
        assert_eq!(applied(Rule::LaunchBrackets, "k < <1", "<1"), None);
        let sizes = |line: &str| {
            let at = line.find('{').expect("the place is in the line");
            assert_eq!(Rule::LaunchBrackets.at(line, at), Rule::LaunchSizes);
            applied(Rule::LaunchSizes, line, "{")
        };
        assert_eq!(
            sizes("k<1><<<grid, {32, 4}, 0>>>();"),
            Some("k<1><<<grid, dim3{32, 4}, 0>>>();".to_owned())
        );
        assert_eq!(sizes("k<<<{4}, 1>>>();"), Some("k<<<dim3{4}, 1>>>();".to_owned()));
        assert_eq!(sizes("k<<<1, 2>>>({3});"), None);
        let template = "template <int N> static int f();";
        let without = "template <int N> int f();";
        assert_eq!(applied(Rule::StaticAgain, template, "f("), Some(without.to_owned()));
        assert_eq!(applied(Rule::StaticAgain, "int f();", "f("), None);
        assert_eq!(applied(Rule::StaticAgain, "static int a; int f();", "f("), None);
        let object = applied(Rule::SharedObject, "  __shared__ B<A, 2> b[3]; f();", "b[");
        let object = object.expect("an object");
        assert!(object.starts_with("  typedef B<A, 2> heddle_b_type[3]; "), "{object}");
        assert!(object.ends_with("&>(heddle_b); f();"), "{object}");
        let both = "template <> inline __host__ __device__ float f(float3 v);";
        let device = both.replace("__host__ ", "");
        assert_eq!(applied(Rule::Specialisation, both, "f("), Some(device.clone()));
        assert_eq!(applied(Rule::Specialisation, &device, "f("), None);
        let call = "auto z = b ? typename FD::storage(1) : FD::storage();";
        let named = call.replace(": FD", ": typename FD");
        assert_eq!(applied(Rule::Typename, call, "FD::storage()"), Some(named));
        assert_eq!(applied(Rule::Typename, call, "FD::storage(1)"), None);
        assert_eq!(applied(Rule::Typename, "auto z = STORAGE();", "STORAGE"), None);
        let own = applied(Rule::OwnIndex, "extern const dim3 blockDim;", "blockDim");
        assert_eq!(own, Some(String::new()));
        assert_eq!(
            applied(Rule::OwnIndex, "extern int a; extern dim3 blockDim;", "blockDim"),
            None
        );
        for line in ["__shared__ B b = 1;", "__shared__ B *b, c;", "B b;"] {
            assert_eq!(applied(Rule::SharedObject, line, "b"), None, "{line}");
        }
    }
}
