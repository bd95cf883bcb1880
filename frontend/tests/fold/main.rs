//! The operators of the IR (`ir/src/expr/fold.rs`) against LLVM's own constant folder.
//!
//! The builder, the solver and the interpreter all compute with `fold.rs`, so nothing else in this
//! repository can contradict it. LLVM can: each operator is written as LLVM IR on constants, at
//! narrow, odd and wide widths, on values at the edges and a few at random, and `instsimplify`
//! folds it. What LLVM gives must be what comes out of
//!
//! - `fold.rs` itself; where LLVM gives poison, the value that `ir/src/expr.rs` documents;
//! - the lift of the same instructions, intrinsics without an operator of their own among them;
//! - the interpreter; where a division is undefined in LLVM, it must not know a value.
//!
//! The matches over operators are exhaustive: a new one does not compile here until it says what it
//! is in LLVM.
//! **Does not** look at floats, which the IR does not compute.

mod rows;

use std::collections::BTreeMap;

use heddle_frontend::read;
use heddle_interp::{Contents, Ignore, Launch, Session};
use heddle_ir::{
    AccessKind, BinOp, Item, Kernel, OpKind, flags_hold, fold_binary, fold_cast, fold_cmp,
    fold_unary, is_undefined_division, mask, parse_kernel,
};
use heddle_lift::lift;
use heddle_llvm::{Function, Module, Opcode, ValueKind};
use rows::{Operator, Row, WIDTHS};

/// What LLVM makes of one expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Folded {
    Value(u128),
    Poison,
}

/// A module with a kernel for each row, which stores one value for each of its cases.
fn module(rows: &[Row]) -> Module {
    let mut declared = BTreeMap::new();
    let mut text = String::from("target triple = \"nvptx64-nvidia-cuda\"\n");
    for (number, row) in rows.iter().enumerate() {
        text += &format!("define ptx_kernel void @k{number}(ptr %out) {{\n");
        for (case, arguments) in row.cases.iter().enumerate() {
            text += &row.llvm(case, arguments, &mut declared);
            text += &format!("  store i{} %r{case}, ptr %out\n", row.result);
        }
        text += "  ret void\n}\n";
    }
    text.extend(declared.into_values());
    let (module, _) = read::read("fold.ll", text.as_bytes())
        .unwrap_or_else(|error| panic!("{error}: {}", error.output));
    module
}

/// What LLVM folds each case of each row to.
fn folded(rows: &[Row]) -> Vec<Vec<Folded>> {
    let mut module = module(rows);
    module.run_passes("function(instsimplify)").expect("a pipeline of LLVM 22");
    let kernel = |number: usize| module.function(&format!("k{number}")).expect("it was printed");
    (0..rows.len()).map(|number| stored(kernel(number), &rows[number])).collect()
}

fn stored(function: Function<'_>, row: &Row) -> Vec<Folded> {
    let stores = function.instructions().filter(|it| it.opcode() == Opcode::Store);
    let values: Vec<_> = stores
        .map(|store| {
            let value = store.operand(0).expect("a store has a value");
            match (value.kind(), value.const_int()) {
                (ValueKind::Poison, _) => Folded::Poison,
                (_, Some(bits)) => Folded::Value(bits),
                (_, None) => panic!("{}: LLVM leaves {}", row.name(), value.text()),
            }
        })
        .collect();
    assert_eq!(values.len(), row.cases.len(), "{}", row.name());
    values
}

/// What `fold.rs` says.
fn ours(operator: Operator, width: u8, arguments: &[u128]) -> u128 {
    match (operator, arguments) {
        (Operator::Unary(op), &[a]) => fold_unary(op, a, width),
        (Operator::Binary(op), &[a, b]) => fold_binary(op, a, b, width),
        (Operator::Cmp(op), &[a, b]) => u128::from(fold_cmp(op, a, b, width)),
        (Operator::Cast(op, to), &[a]) => fold_cast(op, a, width, to),
        (Operator::Exact(op, flags), &[a, b]) => u128::from(flags_hold(op, flags, a, b, width)),
        _ => panic!("{operator:?} of {} operands", arguments.len()),
    }
}

/// What the IR says where LLVM gives poison: SMT-LIB's value. `None` where LLVM must give a value.
fn where_poison(operator: Operator, width: u8, arguments: &[u128]) -> Option<u128> {
    let (Operator::Binary(op), &[a, b]) = (operator, arguments) else { return None };
    let ones = mask(u128::MAX, width);
    let least = 1u128 << (width - 1);
    let negative = a & least != 0;
    // LLVM takes a division of one bit for a division by one: no value there overflows.
    let overflows = a == least && b == ones && width > 1;
    let past = b >= u128::from(width);
    match op {
        BinOp::UDiv => (b == 0).then_some(ones),
        BinOp::URem => (b == 0).then_some(a),
        BinOp::SDiv if b == 0 => Some(if negative { 1 } else { ones }),
        BinOp::SDiv => overflows.then_some(least),
        BinOp::SRem if b == 0 => Some(a),
        BinOp::SRem => overflows.then_some(0),
        BinOp::Shl | BinOp::LShr => past.then_some(0),
        BinOp::AShr => past.then_some(if negative { ones } else { 0 }),
        BinOp::Add
        | BinOp::Sub
        | BinOp::Mul
        | BinOp::And
        | BinOp::Or
        | BinOp::Xor
        | BinOp::UMin
        | BinOp::UMax
        | BinOp::SMin
        | BinOp::SMax => None,
    }
}

/// Whether an operator has no value in LLVM there, other than by the size of a shift.
fn is_undefined(operator: Operator, width: u8, arguments: &[u128]) -> bool {
    match (operator, arguments) {
        (Operator::Binary(op), &[a, b]) => is_undefined_division(op, a, b, width),
        _ => false,
    }
}

/// The rows of operators that compute a value.
fn of_values() -> Vec<Row> {
    let mut rows = rows::of_operators();
    rows.retain(|row| !matches!(row.operator, Some(Operator::Exact(..))));
    rows
}

/// The failures of a comparison, of which the first few are shown.
fn none_wrong(wrong: &[String]) {
    let shown: Vec<_> = wrong.iter().take(20).map(String::as_str).collect();
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), shown.join("\n"));
}

#[test]
fn each_operator_means_what_llvm_folds() {
    let rows = rows::of_operators();
    let (mut wrong, mut values, mut poisons) = (Vec::new(), 0, 0);
    for (row, llvm) in rows.iter().zip(folded(&rows)) {
        let operator = row.operator.expect("each row is of an operator");
        for (arguments, llvm) in row.cases.iter().zip(llvm) {
            let (ours, width) = (ours(operator, row.width, arguments), row.width);
            let poison = where_poison(operator, width, arguments);
            let expected = match llvm {
                Folded::Value(value) => Some(value).filter(|_| poison.is_none()),
                Folded::Poison => poison,
            };
            let shift =
                matches!(operator, Operator::Binary(BinOp::Shl | BinOp::LShr | BinOp::AShr));
            let undefined = is_undefined(operator, width, arguments);
            if expected != Some(ours) || undefined != (poison.is_some() && !shift) {
                wrong.push(format!(
                    "{} of {arguments:x?}: LLVM {llvm:x?}, documented where poison {poison:x?}, \
                     fold.rs {ours:x}, undefined division {undefined}",
                    row.name()
                ));
            }
            values += u32::from(llvm != Folded::Poison);
            poisons += u32::from(llvm == Folded::Poison);
        }
    }
    none_wrong(&wrong);
    assert!(values > 90_000 && poisons > 5_000, "{values} values, {poisons} poisons");
}

#[test]
fn flags_say_nothing_of_operators_without_them() {
    let mut asked = 0;
    for &op in BinOp::ALL.iter().filter(|op| rows::exact(**op).is_none()) {
        for width in WIDTHS {
            let values = rows::values(width);
            for (&a, &b) in values.iter().flat_map(|a| values.iter().map(move |b| (a, b))) {
                assert!(flags_hold(op, heddle_ir::NoWrap::BOTH, a, b, width), "{op} i{width}");
                asked += 1;
            }
        }
    }
    assert!(asked > 10_000);
}

/// The constants that a lifted kernel stores, in order; `None` for what the lift did not fold.
fn stored_by(kernel: &Kernel) -> Vec<Option<u128>> {
    let mut values = Vec::new();
    for item in &kernel.body.items {
        let Item::Op(op) = item else { continue };
        let OpKind::Access(access) = &kernel[*op].kind else { continue };
        let AccessKind::Store(stored) = &access.kind else { continue };
        values.push(kernel.exprs.as_const(stored[0]));
    }
    values
}

#[test]
fn the_lift_of_constants_is_what_llvm_folds() {
    let mut rows = of_values();
    rows.extend(rows::of_intrinsics());
    // The lift maps instructions to operators; what these compute is compared above, case by case.
    for row in rows.iter_mut().filter(|row| row.cases.len() > 100) {
        row.cases = row.cases.iter().skip(1).step_by(7).cloned().collect();
    }
    let (mut wrong, mut compared) = (Vec::new(), 0);
    // A lift looks at its whole module: small ones are faster.
    for rows in rows.chunks(50) {
        let module = module(rows);
        for (number, (row, llvm)) in rows.iter().zip(folded(rows)).enumerate() {
            let function = module.function(&format!("k{number}")).expect("it was printed");
            let lifted = stored_by(&lift(&module, function).expect("it lifts"));
            assert_eq!(lifted.len(), row.cases.len(), "{}", row.name());
            for ((arguments, llvm), lifted) in row.cases.iter().zip(llvm).zip(lifted) {
                let Folded::Value(value) = llvm else { continue };
                compared += 1;
                if lifted != Some(value) {
                    let name = row.name();
                    wrong.push(format!(
                        "{name} of {arguments:x?}: LLVM {value:x}, lifted {lifted:x?}"
                    ));
                }
            }
        }
    }
    none_wrong(&wrong);
    assert!(compared > 20_000, "{compared} compared");
}

/// A kernel whose thread `i` computes case `i` from memory, in whole bytes on both sides.
fn kernel_of(operator: Operator, width: u8, result: u8) -> Kernel {
    let (bytes, out) = (width.div_ceil(8), result.div_ceil(8));
    let narrow = |name: &str| match width % 8 {
        0 => name.to_owned(),
        _ => format!("trunc.i{width}({name})"),
    };
    let (a, b) = (narrow("%a"), narrow("%b"));
    let value = match operator {
        Operator::Unary(op) => format!("{op}({a})"),
        Operator::Binary(op) => format!("{op}({a}, {b})"),
        Operator::Cmp(op) => format!("{op}({a}, {b})"),
        Operator::Cast(op, to) => format!("{op}.i{to}({a})"),
        Operator::Exact(op, flags) => panic!("{op} with {flags:?} is no value of the IR"),
    };
    let value =
        if result.is_multiple_of(8) { value } else { format!("zext.i{}({value})", out * 8) };
    let text = format!(
        "kernel k\ntarget nvptx sm 80 warp 32\nparam out: pointer out\nparam in: pointer in\n\
         object out: global param 0\nobject in: global param 1\n{{\n\
         %i = zext.i64(tid.x)\n\
         %a: i{bits} = load in[mul(%i, {both}) +: {bytes}]\n\
         %b: i{bits} = load in[add(mul(%i, {both}), {bytes}) +: {bytes}]\n\
         store out[mul(%i, {out}) +: {out}] ({value})\n}}\n",
        bits = bytes * 8,
        both = 2 * bytes,
    );
    let kernel = parse_kernel(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    heddle_ir::verify(&kernel).unwrap_or_else(|errors| panic!("{}\n{text}", errors[0]));
    kernel
}

/// What each thread stored, where it is known.
fn run(row: &Row, operator: Operator) -> Vec<Option<u128>> {
    let kernel = kernel_of(operator, row.width, row.result);
    let object = |name: &str| kernel.objects.iter().find(|(_, it)| it.name == name).map(|it| it.0);
    let (input, output) = (object("in").expect("it has"), object("out").expect("it has"));
    let bytes = u64::from(row.width.div_ceil(8));
    let mut contents = Contents::default();
    for (case, arguments) in (0..).zip(&row.cases) {
        for (place, &value) in (0..2).zip([arguments[0], *arguments.get(1).unwrap_or(&0)].iter()) {
            contents.set((2 * case + place) * bytes, row.width, value);
        }
    }
    let mut launch = Launch::new(&kernel, [1; 3], [row.cases.len() as u32, 1, 1]);
    launch.buffers.insert(input, contents);
    let mut session = Session::new(&kernel, &launch).expect("it can be launched");
    session.run_block([0; 3], &mut Ignore, &mut 1_000_000).expect("it runs");
    let out = row.result.div_ceil(8);
    let at = |case: usize| session.global(output, case as u64 * u64::from(out), out.into());
    (0..row.cases.len()).map(at).collect()
}

#[test]
fn the_interpreter_computes_what_llvm_folds() {
    let rows = of_values();
    let (mut wrong, mut compared) = (Vec::new(), 0);
    for (row, llvm) in rows.iter().zip(folded(&rows)) {
        let operator = row.operator.expect("each row is of an operator");
        for ((arguments, llvm), ran) in row.cases.iter().zip(llvm).zip(run(row, operator)) {
            let expected = match llvm {
                Folded::Value(value) => Some(value),
                Folded::Poison if is_undefined(operator, row.width, arguments) => None,
                Folded::Poison => where_poison(operator, row.width, arguments),
            };
            compared += 1;
            if ran != expected {
                let name = row.name();
                wrong.push(format!("{name} of {arguments:x?}: LLVM {llvm:x?}, ran {ran:x?}"));
            }
        }
    }
    none_wrong(&wrong);
    assert!(compared > 90_000, "{compared} compared");
}
