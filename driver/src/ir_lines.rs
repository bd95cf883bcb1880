//! Lines for operations that were read from IR text without debug info.
//!
//! LLVM's C API does not say where in a text an instruction stood, but the n-th instruction of a
//! function in text order is the n-th in module order, which is what
//! [`Origin::ordinal`](heddle_ir::Origin) counts. So the text is read once more here, for the lines
//! of the instructions alone.
//!
//! **Promises**: an operation with a place keeps it. **Does not**: parse IR. Text in a form that
//! LLVM's printer does not use (two instructions on a line, one over several lines) may give a line
//! nearby.

use std::collections::HashMap;

use heddle_ir::{Kernel, Span};

/// Gives each origin without a span the line of its instruction in `text`, which is the file
/// `path`.
pub(super) fn give_lines(kernel: &mut Kernel, path: &str, text: &str) {
    let lacks = |kernel: &Kernel| {
        kernel.origins.values().any(|it| it.span.is_none() && it.ordinal.is_some())
    };
    if !lacks(kernel) {
        return;
    }
    let functions = instruction_lines(text);
    let file = kernel.files.iter().position(|it| it == path).unwrap_or_else(|| {
        kernel.files.push(path.to_owned());
        kernel.files.len() - 1
    });
    for origin in kernel.origins.values_mut() {
        let (None, Some(ordinal)) = (origin.span, origin.ordinal) else { continue };
        let function = origin.source_function.as_ref().unwrap_or(&origin.function);
        let place = functions.get(function.as_str()).and_then(|lines| lines.get(ordinal as usize));
        origin.span = place.map(|&(line, column)| Span { file: file as u32, line, column });
    }
}

/// By function: line and column, both from one, of each instruction in text order.
pub(super) fn instruction_lines(text: &str) -> HashMap<String, Vec<(u32, u32)>> {
    let mut functions = HashMap::new();
    let mut open: Option<(String, Vec<(u32, u32)>)> = None;
    let mut in_brackets = false;
    for (number, line) in (1..).zip(text.lines()) {
        let code = before_comment(line);
        let trimmed = code.trim();
        let Some((_, lines)) = &mut open else {
            if trimmed.starts_with("define ") && trimmed.ends_with('{') {
                open = function_name(trimmed).map(|name| (name, Vec::new()));
            }
            continue;
        };
        if trimmed == "}" {
            functions.extend(open.take());
        } else if in_brackets {
            in_brackets = !trimmed.starts_with(']');
        } else if is_instruction(trimmed) {
            let column = code.len() - code.trim_start().len() + 1;
            lines.push((number, column as u32));
            // The cases of a `switch` are printed on lines of their own.
            in_brackets = trimmed.ends_with('[');
        }
    }
    functions
}

fn is_instruction(code: &str) -> bool {
    let is_label = code.ends_with(':') && !code.contains(' ');
    let is_debug = code.starts_with("#dbg_") || code.contains("call void @llvm.dbg.");
    !code.is_empty() && !is_label && !is_debug
}

/// The line up to a comment; a `;` in quotes starts none.
fn before_comment(line: &str) -> &str {
    let mut quoted = false;
    for (at, c) in line.char_indices() {
        match c {
            '"' => quoted = !quoted,
            ';' if !quoted => return &line[..at],
            _ => {}
        }
    }
    line
}

/// `k` in `define ptx_kernel void @k(ptr %p) {`, with or without quotes.
fn function_name(definition: &str) -> Option<String> {
    let (_, rest) = definition.split_once('@')?;
    let name = match rest.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next()?,
        None => rest.split('(').next()?,
    };
    Some(name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::instruction_lines;

    #[test]
    fn instructions_are_counted_as_llvm_counts_them() {
        let text = r#"; head
define ptx_kernel void @"k 1"(ptr %p) { ; entry
  %t = call i32 @tid()    ; ~ HD0101

left:                     ; preds = %0
    #dbg_value(i32 %t, !1, !DIExpression(), !2)
  switch i32 %t, label %a [
    i32 0, label %left
  ]
a:
  call void asm "; comment", ""()
  ret void
}
define void @f() {
  ret void
}
"#;
        let functions = instruction_lines(text);
        assert_eq!(functions["k 1"], [(3, 3), (7, 3), (11, 3), (12, 3)]);
        assert_eq!(functions["f"], [(15, 3)]);
    }
}
