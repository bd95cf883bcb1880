//! Matrix instructions as calls of the runtime.
//!
//! **Promises**: an instruction whose operands are not those of its name is refused. **Does not**:
//! compute; `heddle_runtime` does.

use heddle_ptx::matrix::Known;
use heddle_runtime::abi::Matrix;

use super::signature::Signature;

/// The call, for registers in memory at `%in` and `%out`; of a tile also where it lies, and its
/// stride.
pub(super) fn call(known: &Known, (memory, stride): (&str, &str)) -> String {
    let packed = |[m, n, k]: [u32; 3]| m << 16 | n << 8 | k;
    match known {
        Known::Product(it) => {
            let does = if it.tiles { Matrix::MultiplyTiles } else { Matrix::Multiply };
            let elements = it.elements.iter().rev();
            let types = elements.fold(0, |types, it| types << 4 | it.number());
            let layout = u32::from(it.in_columns[0]) << 16 | u32::from(it.in_columns[1]) << 17;
            let types = types | layout | u32::from(it.saturates) << 18;
            let (does, shape) = (does.number(), packed(it.sizes));
            format!(
                "call void @__heddle_matrix(i32 {does}, i32 {shape}, i32 {types}, ptr %in, ptr %out)"
            )
        }
        Known::Tile(it) => {
            let which = it.part as u32 + if it.store { 4 } else { 0 };
            let types = it.element.number() | u32::from(it.in_columns) << 16;
            let (shape, registers) = (packed(it.sizes), if it.store { "%in" } else { "%out" });
            format!(
                "call void @__heddle_tile(i32 {which}, i32 {shape}, i32 {types}, ptr {memory}, i32 {stride}, ptr {registers})"
            )
        }
        Known::Rows(does, count) => {
            let does = does.number();
            format!("call void @__heddle_matrix(i32 {does}, i32 {count}, i32 0, ptr %in, ptr %out)")
        }
    }
}

/// The body of an intrinsic.
pub(super) fn body(name: &str, s: &Signature) -> Option<String> {
    let known = Known::parse(name)?;
    let (brings, gets) = known.words();
    let mut text = format!(
        "  %in = alloca [{} x i32]\n  %out = alloca [{} x i32]\n",
        brings.max(1),
        gets.max(1)
    );
    let mut next = 0;
    let (mut memory, mut stride) = ("%in".to_owned(), known.stride().to_string());
    for (n, ty) in s.params.iter().enumerate() {
        let pointer = ty.starts_with("ptr");
        if pointer {
            let (cast, name) = s.generic(n);
            text.push_str(&cast);
            memory = name;
        }
        match known {
            // What comes after the fragment is the stride.
            Known::Tile(_) if pointer => continue,
            Known::Tile(_) if next == brings => {
                stride = format!("%a{n}");
                continue;
            }
            Known::Tile(_) | Known::Product(_) | Known::Rows(..) => {}
        }
        let (ty, value) =
            if pointer { ("ptr", memory.clone()) } else { (ty.as_str(), format!("%a{n}")) };
        text.push_str(&format!(
            "  %i{n} = getelementptr i32, ptr %in, i32 {next}\n  store {ty} {value}, ptr %i{n}, align 4\n"
        ));
        next += words_of(ty)?;
    }
    if next != brings {
        return None;
    }
    text.push_str(&format!("  {}\n", call(&known, (&memory, &stride))));
    Some(text + &give(&s.result, gets)?)
}

/// Lines that return what lies at `%out`.
fn give(result: &str, gets: u32) -> Option<String> {
    if result == "void" {
        return (gets == 0).then(|| "  ret void\n".to_owned());
    }
    let fields = result.trim().strip_prefix('{').and_then(|it| it.strip_suffix('}'));
    let types: Vec<&str> = match fields {
        Some(fields) => fields.split(',').map(str::trim).collect(),
        None => vec![result],
    };
    let (mut text, mut whole, mut next) = (String::new(), "poison".to_owned(), 0);
    for (n, ty) in types.iter().enumerate() {
        text.push_str(&format!(
            "  %o{n} = getelementptr i32, ptr %out, i32 {next}\n  %v{n} = load {ty}, ptr %o{n}, align 4\n"
        ));
        if fields.is_some() {
            text.push_str(&format!("  %w{n} = insertvalue {result} {whole}, {ty} %v{n}, {n}\n"));
            whole = format!("%w{n}");
        } else {
            whole = "%v0".to_owned();
        }
        next += words_of(ty)?;
    }
    (next == gets).then(|| text + &format!("  ret {result} {whole}\n"))
}

/// Words of 32 bits of a type of registers.
fn words_of(ty: &str) -> Option<u32> {
    Some(match ty {
        "i32" | "float" | "<2 x half>" | "<2 x bfloat>" => 1,
        "i64" | "double" => 2,
        ty if ty.starts_with("ptr") => 2,
        _ => return None,
    })
}
