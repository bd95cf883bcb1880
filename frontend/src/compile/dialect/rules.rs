//! What is written otherwise: for a message of clang the rule, and for a rule the line as clang
//! wants it.
//!
//! **Promises**: a line is changed at the place of the message only, and has one meaning after it;
//! what a rule does not recognise it leaves.
//! **Does not**: read files (names of includes are `includes`' to find), or compile.

use super::shared::shared_object;
use super::{includes, raw_strings};

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
    /// `template <> __host__ __device__` of a template for the device: `__host__` is left out; and
    /// `template <> __device__` of one for both sides: it is added.
    Specialisation,
    /// `T f() {}` of a function that was declared for both sides: both are added.
    BothSides,
    /// `int __restrict__ *p`: left out where it is the word of a type that is no pointer.
    Restrict,
    /// `f(x)` in a template, where `f` turns out to be a member of a base: `this->` comes before.
    Member,
    /// `T::type()` in a template, where `T::type` turns out to be a type: `typename` comes before.
    Typename,
    /// `#include "Sub\\Name.h"` of the file `sub/name.h`: its name as the system has it.
    IncludeName,
    /// `void main()`: it returns an `int`.
    MainType,
    /// `R"( … )"` around an OpenCL program: the delimiters are left out.
    RawString,
}

/// What a kernel knows of its place, which CUDA declares.
const INDICES: [&str; 5] = ["threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize"];

/// What makes a function one of the host too, in another spelling than that of sources: what was
/// added is not left out again.
const BOTH_SIDES: &str = "__attribute__((host)) ";

/// What makes a function one of both sides, where it is defined.
const OF_DEFINITION: &str = "__attribute__((host)) __attribute__((device)) ";

/// How clang's message begins of a definition that names fewer sides than the declaration, and what
/// follows the name in it.
const FEWER_SIDES: [&str; 2] = ["__host__ function '", "__device__ function '"];
const THAN_DECLARED: &str = "' cannot overload __host__ __device__ function '";

/// How clang's message of a member of a base begins that is named as a function is.
const MISSED_THIS: &str = "explicit qualification required to use member '";

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
            "'main' must return 'int'" => Some(Rule::MainType),
            raw_strings::MISSED => Some(Rule::RawString),
            other if includes::is_missing(other) => Some(Rule::IncludeName),
            other if MISSED_TYPENAME.iter().any(|it| other.starts_with(it)) => Some(Rule::Typename),
            other if other.starts_with(MISSED_THIS) => Some(Rule::Member),
            other if other.starts_with("restrict requires a pointer") => Some(Rule::Restrict),
            other
                if FEWER_SIDES.iter().any(|it| other.starts_with(it))
                    && other.contains(THAN_DECLARED) =>
            {
                Some(Rule::BothSides)
            }
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
                let is_one =
                    before.trim_start().starts_with("template") && !before.contains([';', '}']);
                let device = before.find("__device__ ").filter(|_| is_one)?;
                let side = before.split_once("__host__ ");
                match side {
                    Some((start, rest)) => Some(format!("{start}{rest}{after}")),
                    None if before.contains(BOTH_SIDES) => None,
                    None => Some(format!("{}{BOTH_SIDES}{}", &line[..device], &line[device..])),
                }
            }
            Rule::BothSides => {
                let start = qualified(before)?;
                let is_new = !line[..start].contains(OF_DEFINITION.trim_end());
                is_new.then(|| format!("{}{OF_DEFINITION}{}", &line[..start], &line[start..]))
            }
            Rule::Restrict => {
                let word =
                    ["__restrict__", "__restrict"].iter().find(|it| after.starts_with(**it))?;
                let gap = " ".repeat(word.len());
                Some(format!("{before}{gap}{}", &after[word.len()..]))
            }
            Rule::Member => {
                let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
                let is_named = after.starts_with(is_word) && !before.ends_with(is_word);
                (is_named && !before.ends_with("this->")).then(|| format!("{before}this->{after}"))
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
            Rule::MainType => {
                let rest = after.strip_prefix("void")?;
                let is_main = rest.trim_start().strip_prefix("main")?.trim_start().starts_with('(');
                let is_alone = rest.starts_with(|c: char| c.is_ascii_whitespace());
                (is_main && is_alone).then(|| format!("{before}int {rest}"))
            }
            // The one needs to know where files are, the other is about more than a line.
            Rule::IncludeName | Rule::RawString => None,
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
                "a specialisation of a template is taken as one for the sides of the template"
            }
            Rule::BothSides => "a function that was declared for both sides is defined for both",
            Rule::Restrict => {
                "`__restrict__` is left out where it follows a type that is no pointer"
            }
            Rule::Member => "`this->` is put before a member of a base that is a template's",
            Rule::Typename => {
                "`typename` is put before a type that depends on a template's arguments"
            }
            Rule::IncludeName => "the name of a file is taken whatever its case and its slashes",
            Rule::MainType => "`main` returns an `int`",
            Rule::RawString => "the program is the text of the literal of C++ that the file is",
        }
    }
}

/// Where a name begins whose last part follows the text: `A<T>::` of `A<T>::f` belongs to it.
fn qualified(before: &str) -> Option<usize> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut name = before;
    while let Some(outer) = name.strip_suffix("::") {
        let class = match outer.strip_suffix('>') {
            None => outer,
            Some(arguments) => {
                let mut depth = 0_u32;
                let open = arguments.char_indices().rev().find(|(_, c)| {
                    depth += u32::from(*c == '>');
                    let is_open = *c == '<' && depth == 0;
                    depth = depth.saturating_sub(u32::from(*c == '<'));
                    is_open
                });
                &arguments[..open?.0]
            }
        };
        name = class.trim_end_matches(is_word);
    }
    (!name.ends_with(is_word)).then_some(name.len())
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
        let added = format!("template <> inline {BOTH_SIDES}__device__ float f(float3 v);");
        assert_eq!(applied(Rule::Specialisation, &device, "f("), Some(added.clone()));
        assert_eq!(applied(Rule::Specialisation, &added, "f("), None);
        assert_eq!(applied(Rule::Specialisation, "__device__ float f(int v);", "f("), None);
        for (line, name) in [
            ("template <class T> N<T> V<T, W<int>>::length() const", "V<T, W"),
            ("int *a::B::f(int)", "a::B::f"),
            ("T operator+(T a)", "operator"),
        ] {
            let place = line.find("length").or(line.find("f(")).or(line.find("operator"));
            let both = Rule::BothSides.apply(line, place.expect("the place is in the line"));
            assert_eq!(both, Some(line.replace(name, &format!("{OF_DEFINITION}{name}"))));
            let again = both.as_deref().and_then(|it| applied(Rule::BothSides, it, name));
            assert_eq!(again, None, "{line}");
        }
        let restrict = "f(int __restrict__ *a, int *__restrict__ b)";
        let without = restrict.replace(" __restrict__ *a", "              *a");
        assert_eq!(applied(Rule::Restrict, restrict, "__restrict__ *a"), Some(without));
        assert_eq!(applied(Rule::Restrict, "f(int RESTRICT *a)", "RESTRICT"), None);
        let member = "return b ? this->f(1) : f(2);";
        let named = member.replace(": f", ": this->f");
        assert_eq!(applied(Rule::Member, member, "f(2)"), Some(named));
        assert_eq!(applied(Rule::Member, member, "f(1)"), None);
        assert_eq!(applied(Rule::Member, "return G(2);", "(2)"), None);
        let call = "auto z = b ? typename FD::storage(1) : FD::storage();";
        let named = call.replace(": FD", ": typename FD");
        assert_eq!(applied(Rule::Typename, call, "FD::storage()"), Some(named));
        assert_eq!(applied(Rule::Typename, call, "FD::storage(1)"), None);
        assert_eq!(applied(Rule::Typename, "auto z = STORAGE();", "STORAGE"), None);
        let main = applied(Rule::MainType, "void  main(void) {", "void  main");
        assert_eq!(main.as_deref(), Some("int   main(void) {"));
        assert_eq!(applied(Rule::MainType, "float main() {", "float"), None);
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
