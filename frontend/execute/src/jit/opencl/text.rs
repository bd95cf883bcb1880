//! The text of a function in LLVM IR, instruction by instruction: values get the names that nobody
//! else uses.

use std::fmt::Write;

/// Instructions of one function, for values of one type of float.
pub(super) struct Text<'a> {
    text: String,
    count: u32,
    /// `float` or `double`.
    ty: &'a str,
}

impl<'a> Text<'a> {
    pub(super) fn new(ty: &'a str) -> Text<'a> {
        Text { text: String::new(), count: 0, ty }
    }

    /// An instruction with a result, and the result's name.
    pub(super) fn set(&mut self, instruction: &str) -> String {
        let name = format!("%v{}", self.count);
        self.count += 1;
        writeln!(self.text, "  {name} = {instruction}").expect("strings take all");
        name
    }

    /// An operation on two floats.
    pub(super) fn op(&mut self, op: &str, a: &str, b: &str) -> String {
        let ty = self.ty;
        self.set(&format!("{op} {ty} {a}, {b}"))
    }

    /// A function of LLVM of floats alone.
    pub(super) fn intrinsic(&mut self, name: &str, args: &[&str]) -> String {
        let (ty, suffix) = (self.ty, suffix(self.ty));
        let args = args.iter().map(|it| format!("{ty} {it}")).collect::<Vec<_>>().join(", ");
        self.set(&format!("call {ty} @llvm.{name}.{suffix}({args})"))
    }

    /// A function of the host of floats alone, by its name for `double`.
    pub(super) fn host(&mut self, name: &str, args: &[&str]) -> String {
        let ty = self.ty;
        let types = vec![ty; args.len()].join(", ");
        let args = args.iter().map(|it| format!("{ty} {it}")).collect::<Vec<_>>().join(", ");
        let name = self.name(name);
        self.set(&format!("call {ty} ({types}) @{name}({args})"))
    }

    /// What the host calls a function of floats of this type.
    pub(super) fn name(&self, name: &str) -> String {
        if self.ty == "float" { format!("{name}f") } else { name.to_owned() }
    }

    /// A comparison of floats, as a bit.
    pub(super) fn compare(&mut self, condition: &str, a: &str, b: &str) -> String {
        let ty = self.ty;
        self.set(&format!("fcmp {condition} {ty} {a}, {b}"))
    }

    /// One of two floats.
    pub(super) fn select(&mut self, bit: &str, a: &str, b: &str) -> String {
        let ty = self.ty;
        self.set(&format!("select i1 {bit}, {ty} {a}, {ty} {b}"))
    }

    /// A number as a literal, rounded to the type.
    pub(super) fn number(&self, value: f64) -> String {
        let value = if self.ty == "float" { f64::from(value as f32) } else { value };
        format!("{:#018X}", value.to_bits()).replacen("0X", "0x", 1)
    }

    /// The body, which gives this value.
    pub(super) fn give(self, ty: &str, value: &str) -> String {
        self.text + &format!("  ret {ty} {value}\n")
    }
}

/// What names of LLVM's functions end in for a type: `v4f32` for `<4 x float>`.
pub(super) fn suffix(ty: &str) -> String {
    let element = |it: &str| match it {
        "half" => "f16".to_owned(),
        "float" => "f32".to_owned(),
        "double" => "f64".to_owned(),
        integer => integer.to_owned(),
    };
    match vector(ty) {
        Some((count, of)) => format!("v{count}{}", element(of)),
        None => element(ty),
    }
}

/// `<4 x float>` as 4 and `float`.
pub(super) fn vector(ty: &str) -> Option<(u32, &str)> {
    let (count, element) = ty.strip_prefix('<')?.strip_suffix('>')?.split_once(" x ")?;
    Some((count.parse().ok()?, element))
}

/// A type of as many elements.
pub(super) fn like(ty: &str, element: &str) -> String {
    vector(ty).map_or_else(|| element.to_owned(), |(count, _)| format!("<{count} x {element}>"))
}

#[cfg(test)]
mod tests {
    use super::{Text, like, suffix, vector};

    #[test]
    fn types_and_numbers_are_written_as_llvm_reads_them() {
        assert_eq!(vector("<4 x float>"), Some((4, "float")));
        assert_eq!(vector("i32"), None);
        assert_eq!(suffix("<2 x double>"), "v2f64");
        assert_eq!(suffix("i16"), "i16");
        assert_eq!(like("<3 x i8>", "half"), "<3 x half>");
        assert_eq!(Text::new("double").number(-1.5), "0xBFF8000000000000");
        assert_eq!(Text::new("float").number(0.1), "0x3FB99999A0000000");
    }
}
