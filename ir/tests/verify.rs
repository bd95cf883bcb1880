//! The verifier: each rule, broken once, is named.

mod common;

use heddle_ir::cranelift_entity::EntityRef;
use heddle_ir::{
    Access, AccessKind, Barrier, CastOp, Entity, ExprKind, Item, Kernel, LoopId, ObjectId,
    ObjectKind, OpId, OpKind, OriginId, ParamKind, Space, Special, SymId, parse_kernel, verify,
};

use common::{Random, random_kernel};

const BASE: &str = r#"
kernel k
target nvptx sm 80 warp 32
param out: pointer out
param n: i32
object out: global param 0
object s: shared variable size 256
object r: local alloca size 4
{
  %at = mul(zext.i64(tid.x), 4)
  %v: i32 = load s[%at +: 4]
  loop @l0 if ult(tid.x, param(n)) {
    var %i: i32 = 0
    %w: i32 = load s[%at +: 4]
    loop @l1 {
      var %j: i32 = %i
      next %j = add(%j, 1)
      while ult(%j, %w)
    }
    next %i = add(%i, exit(@l1, %j))
    while ult(%i, 7)
  }
  store out[%at +: 4] (exit(@l0, %w))
  barrier.block.aligned(3)
  %old: i32 = atomic.add.relaxed.device out[0 +: 4] (%v)
  mbarrier.init s[0] 1
  copy.cp_async s[0 +: 16] from out[0]
  %y: i32, %q: i1 = shfl.idx(%v, 0:i32, 31:i32) mask -1
  assume ult(%v, %y)
}
"#;

fn base() -> Kernel {
    let kernel = parse_kernel(BASE).unwrap();
    assert_eq!(verify(&kernel), Ok(()));
    kernel
}

/// The messages of a kernel whose text is changed.
fn of_text(from: &str, to: &str) -> Vec<String> {
    assert!(BASE.contains(from), "{from}");
    let kernel = match parse_kernel(&BASE.replacen(from, to, 1)) {
        Ok(kernel) => kernel,
        Err(error) => panic!("{from} -> {to}: {error}"),
    };
    messages(&kernel)
}

fn messages(kernel: &Kernel) -> Vec<String> {
    match verify(kernel) {
        Ok(()) => Vec::new(),
        Err(errors) => errors.iter().map(ToString::to_string).collect(),
    }
}

#[test]
fn errors_in_the_text() {
    let cases: &[(&str, &str, &str)] = &[
        (
            "mul(zext.i64(tid.x), 4)",
            "mul(zext.i64(tid.x), 4:i32)",
            "its operand e2 has 32 bits, not 64",
        ),
        ("zext.i64(tid.x)", "zext.i64(base(s))", "zext from 64 to 64 bits"),
        ("load s[%at", "load s[tid.x", "its offset has 32 bits, not 64"),
        ("[%at +: 4]", "[%at +: 8]", "its results have 4 bytes, but it touches 8"),
        (
            "store out[%at +: 4] (",
            "store out[%at +: 4] (%v, ",
            "its values have 8 bytes, but it touches 4",
        ),
        ("if ult(tid.x, param(n))", "if param(n)", "its predicate has 32 bits, not 1"),
        ("var %i: i32 = 0", "var %i: i32 = 0:i64", "its start has 64 bits, not 32"),
        ("while ult(%i, 7)", "while %i", "its continuation has 32 bits, not 1"),
        ("exit(@l0, %w)", "%w", "is used outside the loop of op1"),
        (
            "exit(@l0, %w)",
            "exit(@l0, %j)",
            "looks at `j`, which has no meaning at the end of loop0",
        ),
        ("exit(@l0, %w)", "exit(@l1, %j)", "is used where loop1 has not just ended"),
        ("exit(@l0, %w)", "add(%j, %i)", "is used outside loop1"),
        ("add(%i, exit(@l1, %j))", "add(%i, %j)", "is used outside loop1"),
        ("(%v)\n", "(%v, %v)\n", "add has 2 operands, not 1"),
        ("%old: i32", "%old: i64", "its result 0 has 64 bits, not 32"),
        (".add.relaxed.device", ".add", "an atomic without order and scope"),
        ("init s[0]", "init out[0]", "its barrier object `out` is in global memory, not shared"),
        ("cp_async s[0", "cp_async r[0", "its destination `r` is in local memory, not shared"),
        ("%y: i32, %q: i1", "%y: i32, %q: i1, %z: i1", "it has 3 results, not at most 2"),
        ("31:i32", "31:i8", "its clamp and segment has 8 bits, not 32"),
        ("assume ult(%v, %y)", "assume %v", "its condition has 32 bits, not 1"),
        ("object r: local", "object r: shared", "obj2 `r`: it cannot be in shared memory"),
        ("variable size", "param 1 size", "obj1 `s`: parameter 1 does not point to it"),
        ("pointer out", "pointer s", "param 0: `s` is not what it points to"),
    ];
    for (from, to, message) in cases {
        let found = of_text(from, to);
        assert!(found.iter().any(|it| it.contains(message)), "{from} -> {to}: {found:#?}");
    }
}

#[test]
fn errors_that_text_cannot_say() {
    type Break = fn(&mut Kernel);
    let cases: &[(Break, &str)] = &[
        (
            |k| k.body.items.push(Item::Op(OpId::new(0))),
            "op0: it stands in the tree 2 times, not once",
        ),
        (|k| _ = k.body.items.pop(), "op8: it stands in the tree 0 times, not once"),
        (|k| k.body.items.push(Item::Loop(LoopId::new(9))), "kernel: there is no loop loop9"),
        (
            |k| k.loops[LoopId::new(1)].body.items.push(Item::Loop(LoopId::new(0))),
            "loop0: it stands in the tree 2 times, not once",
        ),
        (
            |k| k.loops[LoopId::new(1)].parent = None,
            "loop1: its parent is said to be the body, but is loop0",
        ),
        (|k| k.loops[LoopId::new(1)].vars.clear(), "is listed by its loop 0 times, not once"),
        (
            |k| k.vars.values_mut().for_each(|var| var.of = LoopId::new(0)),
            "loop1 lists it, but it is said to be of loop0",
        ),
        (|k| k.ops[OpId::new(0)].origin = OriginId::new(5), "op0: there is no origin at5"),
        (
            |k| k.origins[OriginId::new(0)].inlined_at = Some(OriginId::new(0)),
            "at0: the calls that brought it here have no end",
        ),
        (|k| k.objects[ObjectId::new(1)].name = "out".into(), "obj1 `out`: obj0 has this name too"),
        (
            |k| k.objects[ObjectId::new(1)].kind = ObjectKind::Alloca,
            "it cannot be in shared memory",
        ),
        (|k| k.objects[ObjectId::new(2)].space = Space::Global, "it cannot be in global memory"),
        (|k| k.params[1].kind = ParamKind::Scalar { width: 0 }, "param 1: it has 0 bits"),
        (|k| _ = k.exprs.intern(ExprKind::Const(256), 8), ": 0x100 has more than 8 bits"),
        (|k| _ = k.exprs.special(Special::Tid(3)), "`tid.3`: there is no axis 3"),
        (
            |k| _ = k.exprs.symbol(SymId::new(0), 8),
            "a symbol of an analysis is no part of a kernel",
        ),
        (|k| _ = k.exprs.intern(ExprKind::Param(0), 64), "a pointer has no value"),
        (|k| _ = k.exprs.param(7, 64), "there is no parameter 7"),
        (|k| _ = k.exprs.result(OpId::new(0), 3, 32), "there is no result 3 of op0"),
        (
            |k| {
                let wide = k.exprs.special(Special::LaneId);
                k.exprs.intern(ExprKind::Cast(CastOp::Trunc, wide), 64);
            },
            "trunc from 32 to 64 bits",
        ),
        (
            |k| {
                // The load of the loop comes before the first operation.
                let late = k.exprs.result(OpId::new(0), 0, 32);
                let wide = k.exprs.cast(CastOp::Zext, late, 64);
                let op = &mut k.ops[OpId::new(0)];
                let OpKind::Access(Access { address, kind: AccessKind::Load, .. }) = &mut op.kind
                else {
                    panic!("a load")
                };
                address.offset = wide;
            },
            "is used before op0 has happened",
        ),
        (
            |k| {
                let bits = k.exprs.constant(3, 64);
                for op in k.ops.values_mut() {
                    if let OpKind::Barrier(Barrier::Block { orders, .. }) = &mut op.kind {
                        *orders = bits;
                    }
                }
            },
            "op3 `barrier.block.aligned(3:i64)`: its memory flags has 64 bits, not 32",
        ),
    ];
    for (index, (break_it, message)) in cases.iter().enumerate() {
        let mut kernel = base();
        break_it(&mut kernel);
        let found = messages(&kernel);
        assert!(found.iter().any(|it| it.contains(message)), "{index} {message}: {found:#?}");
    }
}

#[test]
fn all_errors_are_reported_with_their_entity() {
    let text = BASE.replace("assume ult(%v, %y)", "assume %v").replace("31:i32", "31:i8");
    let errors = verify(&parse_kernel(&text).unwrap()).unwrap_err();
    let entities: Vec<Entity> = errors.iter().map(|it| it.entity).collect();
    assert_eq!(entities, [Entity::Op(OpId::new(7)), Entity::Op(OpId::new(8))]);
}

/// Whatever handle is exchanged for another: an answer, never a panic.
#[test]
fn corrupted_random_kernels_are_answered() {
    let mut random = Random::new(3);
    let mut refused = 0;
    for seed in 0..300 {
        let mut kernel = random_kernel(seed);
        let exprs = kernel.exprs.len();
        for _ in 0..3 {
            let some = heddle_ir::ExprId::from_u32(random.below(exprs + 1) as u32);
            let op = OpId::new(random.below(kernel.ops.len()));
            let mut left = random.below(4);
            kernel.ops[op].map_exprs(&mut |id| match left.checked_sub(1) {
                Some(fewer) => {
                    left = fewer;
                    id
                }
                None => some,
            });
            if random.below(5) == 0 && !kernel.loops.is_empty() {
                let of = LoopId::new(random.below(kernel.loops.len()));
                kernel.loops[of].body.items.push(Item::Op(OpId::new(random.below(90))));
            }
        }
        refused += u32::from(verify(&kernel).is_err());
    }
    assert!(refused > 200, "{refused} of 300 refused");
}
