//! A kernel with what is said of its launch: what is checked, run, mutated and shrunk.

use crate::print::{print, print_expr};
use crate::syntax::{Expr, Language, Program};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Size {
    Any,
    Known([u32; 3]),
}

impl Size {
    /// As on the command line.
    pub(crate) fn text(self) -> String {
        match self {
            Size::Any => "any".to_owned(),
            Size::Known([x, 1, 1]) => x.to_string(),
            Size::Known([x, y, 1]) => format!("{x},{y}"),
            Size::Known([x, y, z]) => format!("{x},{y},{z}"),
        }
    }

    pub(crate) fn parse(text: &str) -> Option<Size> {
        if text.starts_with("any") {
            return Some(Size::Any);
        }
        let mut sizes = [1; 3];
        for (size, part) in sizes.iter_mut().zip(text.split([',', 'x'])) {
            *size = part.parse().ok()?;
        }
        Some(Size::Known(sizes))
    }
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Case {
    pub(crate) program: Program,
    pub(crate) grid: Size,
    pub(crate) block: Size,
    /// Values of arguments, as with `--arg`.
    pub(crate) args: Vec<(String, i128)>,
    /// Conditions over arguments and sizes, as with `--assume`.
    pub(crate) assumed: Vec<Expr>,
    /// What it was made from, for people.
    pub(crate) origin: String,
}

impl Case {
    /// The source, as it is given to the checker.
    pub(crate) fn text(&self) -> String {
        print(&self.program)
    }

    /// The conditions as text.
    pub(crate) fn conditions(&self) -> Vec<String> {
        self.assumed.iter().map(|it| print_expr(it, Language::Cuda)).collect()
    }

    /// What stands after `launch:` in a file of `tests/kernels`.
    pub(crate) fn launch(&self) -> String {
        let mut text = format!("grid={} block={}", self.grid.text(), self.block.text());
        for (name, value) in &self.args {
            text += &format!(" {name}={value}");
        }
        for condition in self.conditions() {
            text += &format!(" assume=\"{condition}\"");
        }
        text
    }

    /// The command that checks it.
    pub(crate) fn command(&self) -> String {
        let mut text =
            format!("heddle check --grid {} --block {}", self.grid.text(), self.block.text());
        for (name, value) in &self.args {
            text += &format!(" --arg {name}={value}");
        }
        for condition in self.conditions() {
            text += &format!(" --assume '{condition}'");
        }
        text
    }

    pub(crate) fn extension(&self) -> &'static str {
        match self.program.language {
            Language::Cuda => "cu",
            Language::OpenCl => "cl",
        }
    }
}
