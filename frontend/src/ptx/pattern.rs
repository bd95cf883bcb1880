//! Which opcodes a row of the table is about.
//!
//! A pattern is `root` or `a|b`, then items: `.a|b` (one of them), `{.a|b}` (or none), `{.a|b}*` (any number, in any
//! order). Words all in capitals stand for a set: `SCOPE`, `SPACE`, `TYPE`, `VEC`, `CACHE`, `ROUND`, `CMP`, `DIM`,
//! `ANY`. An opcode matches only if each of its modifiers is taken by an item, so a row never ignores one by accident.

use heddle_ir::Scope;

use super::types::{Space, Type};

/// The modifiers of an opcode, without its root: `["relaxed", "gpu", "u32"]`.
pub(crate) struct Modifiers<'a> {
    /// What stands before the first dot.
    pub(crate) root: &'a str,
    list: Vec<&'a str>,
}

impl<'a> Modifiers<'a> {
    pub(crate) fn split(opcode: &'a str) -> Modifiers<'a> {
        let mut parts = opcode.split('.');
        Modifiers { root: parts.next().unwrap_or(""), list: parts.collect() }
    }

    /// Whether it stands among them.
    pub(crate) fn has(&self, modifier: &str) -> bool {
        self.list.contains(&modifier)
    }

    /// The first of them for which `read` has an answer.
    pub(crate) fn first<T>(&self, read: impl Fn(&str) -> Option<T>) -> Option<T> {
        self.list.iter().find_map(|m| read(m))
    }

    /// At most one of them for which `read` has an answer: none if there are two.
    pub(crate) fn at_most_one<T>(&self, read: impl Fn(&str) -> Option<T>) -> Option<Option<T>> {
        let mut found = self.list.iter().filter_map(|m| read(m));
        let first = found.next();
        found.next().is_none().then_some(first)
    }

    /// Who is meant, where the opcode says.
    pub(crate) fn scope(&self) -> Option<Scope> {
        self.first(scope)
    }

    /// Its spaces, in order.
    pub(crate) fn spaces(&self) -> impl Iterator<Item = Space> {
        self.list.iter().filter_map(|m| Space::parse(m))
    }

    /// Its types, in order.
    pub(crate) fn types(&self) -> impl Iterator<Item = Type> {
        self.list.iter().filter_map(|m| Type::parse(m))
    }
}

/// The scope that a modifier names (section 8.5).
pub(crate) fn scope(modifier: &str) -> Option<Scope> {
    Some(match modifier {
        "cta" => Scope::Block,
        "cluster" => Scope::Cluster,
        "gpu" | "gl" => Scope::Device,
        "sys" => Scope::System,
        _ => return None,
    })
}

/// Elements of a vector access, where the modifier says.
pub(crate) fn vector(modifier: &str) -> Option<u8> {
    Some(match modifier {
        "v2" => 2,
        "v4" => 4,
        "v8" => 8,
        _ => return None,
    })
}

/// Whether the opcode is one that the pattern describes.
pub(crate) fn matches(pattern: &str, modifiers: &Modifiers<'_>) -> bool {
    let end = pattern.find(['.', '{']).unwrap_or(pattern.len());
    pattern[..end].split('|').any(|root| root == modifiers.root)
        && items(&pattern[end..], &modifiers.list)
}

fn items(pattern: &str, list: &[&str]) -> bool {
    if pattern.is_empty() {
        return list.is_empty();
    }
    let (alternatives, optional, repeated, rest) = match pattern.strip_prefix('{') {
        Some(inner) => {
            let (body, rest) = inner.split_once('}').unwrap_or((inner, ""));
            let repeated = rest.starts_with('*');
            (body.strip_prefix('.').unwrap_or(body), true, repeated, &rest[usize::from(repeated)..])
        }
        None => {
            let body = pattern.strip_prefix('.').unwrap_or(pattern);
            let end = body.find(['.', '{']).unwrap_or(body.len());
            (&body[..end], false, false, &body[end..])
        }
    };
    if let Some((first, others)) = list.split_first()
        && alternatives.split('|').any(|alternative| stands_for(alternative, first))
        && items(if repeated { pattern } else { rest }, others)
    {
        return true;
    }
    optional && items(rest, list)
}

fn stands_for(alternative: &str, modifier: &str) -> bool {
    match alternative {
        "ANY" => true,
        "SCOPE" => matches!(modifier, "cta" | "cluster" | "gpu" | "sys"),
        "SPACE" => Space::parse(modifier).is_some(),
        "TYPE" => Type::parse(modifier).is_some(),
        "VEC" => vector(modifier).is_some(),
        "DIM" => matches!(modifier, "1d" | "2d" | "3d" | "4d" | "5d"),
        "CACHE" => {
            matches!(modifier, "ca" | "cg" | "cs" | "lu" | "cv" | "wb" | "wt")
                || modifier.starts_with("L1::")
                || modifier.starts_with("L2::")
        }
        "ROUND" => matches!(
            modifier,
            "rn" | "rz"
                | "rm"
                | "rp"
                | "rna"
                | "rs"
                | "rni"
                | "rzi"
                | "rmi"
                | "rpi"
                | "approx"
                | "full"
        ),
        "CMP" => matches!(
            modifier,
            "eq" | "ne"
                | "lt"
                | "le"
                | "gt"
                | "ge"
                | "lo"
                | "ls"
                | "hi"
                | "hs"
                | "equ"
                | "neu"
                | "ltu"
                | "leu"
                | "gtu"
                | "geu"
                | "num"
                | "nan"
        ),
        literal => literal == modifier,
    }
}
