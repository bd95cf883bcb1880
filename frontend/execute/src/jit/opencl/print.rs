//! OpenCL's `printf`: each call becomes one of a function that packs its arguments as the runtime
//! reads them.

use super::text::vector;
use super::vectors::bits;
use crate::jit::signature::Signature;

/// Whether this is the name of `printf`, as OpenCL C or C++ for OpenCL have it.
pub(in crate::jit) fn is_print(name: &str) -> bool {
    name == "printf" || name == "_Z6printfPU3AS2Kcz"
}

/// The body for a call with arguments of these types. A float is widened, and an integer of less
/// than 32 bits, as C does; the elements of a vector lie one after the other.
pub(in crate::jit) fn body(s: &Signature) -> String {
    let mut text = String::new();
    let mut room = 0u64;
    let mut store = |text: &mut String, name: &str, ty: &str, value: &str| {
        let (widened, wide, bytes) = match (ty, bits(ty)) {
            ("half" | "float", _) => {
                (format!("fpext {ty} {value} to double"), "double".to_owned(), 8)
            }
            ("double", _) => (format!("fadd double {value}, -0.0"), ty.to_owned(), 8),
            (_, 0) => (format!("getelementptr i8, {ty} {value}, i64 0"), ty.to_owned(), 8),
            (_, 64) => (format!("add i64 {value}, 0"), ty.to_owned(), 8),
            (_, 32) => (format!("add i32 {value}, 0"), ty.to_owned(), 4),
            _ => (format!("sext {ty} {value} to i32"), "i32".to_owned(), 4),
        };
        room = room.next_multiple_of(bytes);
        *text += &format!(
            "  %w{name} = {widened}\n  %p{name} = getelementptr i8, ptr %room, i64 {room}\n  store {wide} %w{name}, ptr %p{name}, align {bytes}\n"
        );
        room += bytes;
    };
    for (n, ty) in s.params.iter().enumerate().skip(1) {
        match vector(ty) {
            None => store(&mut text, &n.to_string(), ty, &format!("%a{n}")),
            Some((count, element)) => {
                for lane in 0..count {
                    let name = format!("{n}.{lane}");
                    text += &format!("  %e{name} = extractelement {ty} %a{n}, i32 {lane}\n");
                    store(&mut text, &name, element, &format!("%e{name}"));
                }
            }
        }
    }
    let (cast, format) = s.generic(0);
    format!(
        "  %room = alloca [{} x i8], align 8\n{cast}{text}  %r = call i32 @__heddle_vprintf(ptr {format}, ptr %room)\n  \
         ret i32 %r\n",
        room.max(8)
    )
}
