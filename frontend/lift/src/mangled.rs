//! Itanium-mangled names of OpenCL built-ins: the name, and what the types of its parameters say
//! that LLVM's do not.

use heddle_llvm::Module;

use crate::symbol::{name_and_rest, source_name};

/// A mangled name, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mangled {
    /// The source name.
    pub name: String,
    /// The parameters, as far as they were understood.
    pub params: Vec<Parameter>,
}

/// The type of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// It is a pointer, and the rest is about what it points to.
    pub pointer: bool,
    /// Elements of a vector; 1 for a scalar.
    pub lanes: u32,
    /// Bytes of one element; 0 for a type of another kind.
    pub bytes: u32,
    /// What an element is.
    pub kind: Kind,
}

/// What a number is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A signed integer.
    Signed,
    /// An unsigned integer.
    Unsigned,
    /// A float.
    Float,
    /// An event, an image, an enumeration.
    Other,
}

/// Whether a mangled name without a body is that of a function of OpenCL C. Not so in a module for
/// CUDA that clang does not mark as OpenCL's: there it is a function of another file, whatever its
/// name.
pub fn are_builtins(module: &Module) -> bool {
    !module.triple().contains("cuda") || !module.named_metadata("opencl.ocl.version").is_empty()
}

impl Mangled {
    /// Takes `_Z3maxDv4_iS_` apart.
    pub fn parse(symbol: &str) -> Option<Mangled> {
        let (name, mut rest) = name_and_rest(symbol)?;
        let mut params: Vec<Parameter> = Vec::new();
        while !rest.is_empty() {
            let Some((parameter, after)) = parse_type(rest, params.first().copied()) else { break };
            params.push(parameter);
            rest = after;
        }
        Some(Mangled { name: name.to_owned(), params })
    }

    /// What the numbers of the last parameter are: the operand of an atomic, the value of a
    /// conversion.
    pub fn last_kind(&self) -> Kind {
        self.params.last().map_or(Kind::Other, |p| p.kind)
    }

    /// What the numbers of the first parameter are.
    pub fn first_kind(&self) -> Kind {
        self.params.first().map_or(Kind::Other, |p| p.kind)
    }
}

/// The name of a function in OpenCL's mangling; the parameters are not looked at.
pub fn unmangled(symbol: &str) -> Option<&str> {
    name_and_rest(symbol).map(|(name, _)| name)
}

fn parse_type(text: &str, first: Option<Parameter>) -> Option<(Parameter, &str)> {
    let scalar =
        |kind, bytes, rest| Some((Parameter { pointer: false, lanes: 1, bytes, kind }, rest));
    let mut chars = text.chars();
    let code = chars.next()?;
    let rest = chars.as_str();
    match code {
        'P' => parse_type(rest, first)
            .map(|(pointee, rest)| (Parameter { pointer: true, ..pointee }, rest)),
        'K' | 'V' | 'r' => parse_type(rest, first),
        'U' => source_name(rest).and_then(|(_, rest)| parse_type(rest, first)),
        'D' if rest.starts_with('v') => {
            let (lanes, rest) = rest[1..].split_once('_')?;
            let (element, rest) = parse_type(rest, first)?;
            Some((Parameter { lanes: lanes.parse().ok()?, ..element }, rest))
        }
        'D' if rest.starts_with('h') => scalar(Kind::Float, 2, &rest[1..]),
        'S' => rest.split_once('_').and_then(|(_, rest)| first.map(|f| (f, rest))),
        '0'..='9' => source_name(text).and_then(|(_, rest)| scalar(Kind::Other, 0, rest)),
        'c' | 'a' => scalar(Kind::Signed, 1, rest),
        'h' | 'b' => scalar(Kind::Unsigned, 1, rest),
        's' => scalar(Kind::Signed, 2, rest),
        't' => scalar(Kind::Unsigned, 2, rest),
        'i' => scalar(Kind::Signed, 4, rest),
        'j' => scalar(Kind::Unsigned, 4, rest),
        'l' | 'x' => scalar(Kind::Signed, 8, rest),
        'm' | 'y' => scalar(Kind::Unsigned, 8, rest),
        'f' => scalar(Kind::Float, 4, rest),
        'd' => scalar(Kind::Float, 8, rest),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_parameters_come_apart() {
        let id = Mangled::parse("_Z12get_local_idj").unwrap();
        assert_eq!((id.name.as_str(), id.first_kind()), ("get_local_id", Kind::Unsigned));
        let max = Mangled::parse("_Z3maxDv4_iS_").unwrap();
        assert_eq!((max.params.len(), max.params[1].lanes, max.first_kind()), (2, 4, Kind::Signed));
        let add = Mangled::parse("_Z10atomic_minPU3AS1Vjj").unwrap();
        assert_eq!((add.params[0].pointer, add.last_kind()), (true, Kind::Unsigned));
        let copy =
            Mangled::parse("_Z21async_work_group_copyPU3AS3Dv2_fPU3AS1KS_m9ocl_event").unwrap();
        assert_eq!((copy.params[0].lanes, copy.params[0].bytes), (2, 4));
        assert_eq!(Mangled::parse("memcpy"), None);
        assert_eq!(Mangled::parse("_Z99x"), None);
    }
}
