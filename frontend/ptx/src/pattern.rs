//! Which opcodes a row of the table is about.
//!
//! A pattern is `root` or `a|b`, then items: `.a|b` (one of them), `{.a|b}` (or none), `{.a|b}*`
//! (any number, in any order). Words all in capitals stand for a set: `SCOPE`, `SPACE`, `TYPE`,
//! `VEC`, `CACHE`, `ROUND`, `CMP`, `DIM`, `ANY`. An opcode matches only if each of its modifiers is
//! taken by an item, so a row never ignores one by accident.
//!
//! Patterns have the order of the manual. The assembler takes modifiers in any order, and headers
//! in use rely on that (`fence.sys.sc`, `ldmatrix.sync.aligned.x4.m8n8`): [`matches_in_any_order`].
//! Only the order of types among each other, and of spaces, means something to it: which is the
//! result's, where a copy goes.

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

    /// All of them, in order.
    pub(crate) fn list(&self) -> &[&'a str] {
        &self.list
    }

    /// What stands after it, where it stands among them.
    pub(crate) fn after(&self, modifier: &str) -> Option<&'a str> {
        let at = self.list.iter().position(|it| *it == modifier)?;
        self.list.get(at + 1).copied()
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

/// Whether the opcode is one that the pattern describes, in whatever order its modifiers stand.
pub(crate) fn matches_in_any_order(pattern: &str, modifiers: &Modifiers<'_>) -> bool {
    let end = pattern.find(['.', '{']).unwrap_or(pattern.len());
    if !pattern[..end].split('|').any(|root| root == modifiers.root) {
        return false;
    }
    let (mut open, mut rest) = (Vec::new(), &pattern[end..]);
    while !rest.is_empty() {
        let (item, after) = Item::split(rest);
        open.push((item, 0));
        rest = after;
    }
    taken(&mut open, &modifiers.list, [0; 2])
}

/// Whether items can take all the modifiers; `from` is the first item that may take a type, and a
/// space. Each item comes with how many modifiers it has taken.
fn taken(items: &mut [(Item<'_>, u32)], list: &[&str], from: [usize; 2]) -> bool {
    let Some((first, others)) = list.split_first() else {
        return items.iter().all(|(item, times)| item.optional || *times > 0);
    };
    let ordered = [Type::parse(first).is_some(), Space::parse(first).is_some()];
    let start = (0..2).filter(|&n| ordered[n]).map(|n| from[n]).max().unwrap_or(0);
    for at in start..items.len() {
        let (item, times) = items[at];
        if (times > 0 && !item.repeated) || !item.takes(first) {
            continue;
        }
        items[at].1 += 1;
        let next = [0, 1].map(|n| if ordered[n] { at } else { from[n] });
        if taken(items, others, next) {
            return true;
        }
        items[at].1 -= 1;
    }
    false
}

/// One item of a pattern.
#[derive(Clone, Copy)]
struct Item<'a> {
    alternatives: &'a str,
    optional: bool,
    repeated: bool,
}

impl<'a> Item<'a> {
    /// The first item of a pattern, and the rest.
    fn split(pattern: &'a str) -> (Item<'a>, &'a str) {
        match pattern.strip_prefix('{') {
            Some(inner) => {
                let (body, rest) = inner.split_once('}').unwrap_or((inner, ""));
                let repeated = rest.starts_with('*');
                let alternatives = body.strip_prefix('.').unwrap_or(body);
                let item = Item { alternatives, optional: true, repeated };
                (item, &rest[usize::from(repeated)..])
            }
            None => {
                let body = pattern.strip_prefix('.').unwrap_or(pattern);
                let end = body.find(['.', '{']).unwrap_or(body.len());
                let item = Item { alternatives: &body[..end], optional: false, repeated: false };
                (item, &body[end..])
            }
        }
    }

    fn takes(self, modifier: &str) -> bool {
        self.alternatives.split('|').any(|alternative| stands_for(alternative, modifier))
    }
}

fn items(pattern: &str, list: &[&str]) -> bool {
    if pattern.is_empty() {
        return list.is_empty();
    }
    let (item, rest) = Item::split(pattern);
    if let Some((first, others)) = list.split_first()
        && item.takes(first)
        && items(if item.repeated { pattern } else { rest }, others)
    {
        return true;
    }
    item.optional && items(rest, list)
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
