//! Instructions that compute from registers alone touch nothing.

use super::super::class::{Class, Comparison, Effect, Half, Logic, PureOp};
use super::super::types::{Space, Type};
use super::check;

pub(super) fn examples() -> Vec<(&'static str, Class)> {
    let pure = |op, ty| Class::Pure { op, ty: Type::parse(ty).expect("a type") };
    let other = |ty| pure(PureOp::Uninterpreted, ty);
    let carry = || Class::Opaque(Effect::RegistersOnly);
    let u32_type = Type::parse("u32").expect("a type");
    vec![
        ("mov.u32 $0, %laneid;", pure(PureOp::Move, "u32")),
        ("mov.b64 {r0, r1}, $3;", pure(PureOp::Move, "b64")),
        ("mov.b64 $1, {r0, $2};", pure(PureOp::Move, "b64")),
        ("mov.f32 f0, 0f3F800000;", pure(PureOp::Move, "f32")),
        ("add.cc.u32 $0, $2, r0;", carry()),
        ("addc.cc.u32 $0, $2, r0;", carry()),
        ("subc.u32 $0, $2, r0;", carry()),
        ("mad.lo.cc.u32 $0, $2, r0, r1;", carry()),
        ("madc.hi.u32 $0, $2, r0, r1;", carry()),
        ("add.s32 $0, $2, -1;", pure(PureOp::Add, "s32")),
        ("add.sat.s32 $0, $2, r1;", other("s32")),
        ("add.rn.f32 f0, f1, f2;", other("f32")),
        ("sub.u64 $1, $3, d0;", pure(PureOp::Sub, "u64")),
        ("mul.lo.u32 $0, $2, r1;", pure(PureOp::Mul(Half::Low), "u32")),
        ("mul.wide.s32 $1, $2, r1;", pure(PureOp::Mul(Half::Wide), "s32")),
        ("mul.rn.ftz.f32 f0, f1, f2;", other("f32")),
        ("mad.hi.u32 $0, $2, r1, r2;", pure(PureOp::Mad(Half::High), "u32")),
        ("div.u32 $0, $2, 3;", pure(PureOp::Div, "u32")),
        ("div.full.ftz.f32 f0, f1, f2;", other("f32")),
        ("rem.s32 $0, $2, 3;", pure(PureOp::Rem, "s32")),
        ("abs.s32 $0, $2;", pure(PureOp::Abs, "s32")),
        ("neg.s32 $0, $2;", pure(PureOp::Neg, "s32")),
        ("min.u32 $0, $2, r0;", pure(PureOp::Min, "u32")),
        ("max.s32 $0, $2, 0;", pure(PureOp::Max, "s32")),
        ("max.NaN.f16x2 $0, $2, r0;", other("f16x2")),
        ("min.f32 f0, f1, f2, f3;", other("f32")),
        ("and.b32 $0, $2, 0xff;", pure(PureOp::And, "b32")),
        ("or.pred p, p, q;", pure(PureOp::Or, "pred")),
        ("xor.b32 $0, $2, r0;", pure(PureOp::Xor, "b32")),
        ("not.b32 $0, $2;", pure(PureOp::Not, "b32")),
        ("shl.b32 $0, $2, 3;", pure(PureOp::Shl, "b32")),
        ("shr.s32 $0, $2, r0;", pure(PureOp::Shr, "s32")),
        (
            "shf.l.wrap.b32 $0, r0, r1, r2;",
            pure(PureOp::Funnel { left: true, clamp: false }, "b32"),
        ),
        ("bfe.u32 $0, $2, 4, 8;", pure(PureOp::BitExtract, "u32")),
        ("bfi.b32 $0, $2, r0, r1, 8;", pure(PureOp::BitInsert, "b32")),
        ("lop3.b32 $0, r0, r1, r2, 0x96;", pure(PureOp::Lop3, "b32")),
        ("lop3.or.b32 $0|p, r0, r1, r2, 0x96, q;", other("b32")),
        ("prmt.b32 $0, $2, r1, 0x3210;", pure(PureOp::Permute, "b32")),
        ("prmt.b32.f4e $0, $2, r1, r2;", other("b32")),
        ("popc.b64 $0, $3;", pure(PureOp::PopCount, "b64")),
        ("clz.b32 $0, $2;", pure(PureOp::LeadingZeros, "b32")),
        ("brev.b32 $0, $2;", pure(PureOp::Reverse, "b32")),
        ("bfind.u32 $0, $2;", other("u32")),
        ("fns.b32 $0, $2, r0, r1;", other("b32")),
        ("bmsk.clamp.b32 $0, $2, r0;", other("b32")),
        ("cnot.b32 $0, $2;", other("b32")),
        ("setp.ne.b32 p, $2, 0;", pure(PureOp::Compare(Comparison::Ne, None), "b32")),
        ("setp.lo.u32 p|q, $2, 9;", pure(PureOp::Compare(Comparison::Lt, None), "u32")),
        ("setp.lo.s32 p, $2, 9;", other("s32")),
        ("setp.gtu.f32 p, f0, f1;", other("f32")),
        (
            "setp.ge.and.s32 p, $2, 0, !q;",
            pure(PureOp::Compare(Comparison::Ge, Some(Logic::And)), "s32"),
        ),
        ("set.eq.u32.f32 $0, f0, f1;", other("u32")),
        ("selp.u32 $0, 1, 0, p;", pure(PureOp::Select, "u32")),
        ("slct.u32.s32 $0, r0, r1, r2;", other("u32")),
        ("testp.notanumber.f32 p, f0;", other("f32")),
        ("cvt.u64.u32 $1, $2;", pure(PureOp::Convert(u32_type), "u64")),
        ("cvt.rn.f16x2.f32 $0, f0, f1;", other("f16x2")),
        ("cvt.rzi.s32.f32 $0, f0;", other("s32")),
        ("cvt.sat.s16.u32 h0, $2;", other("s16")),
        ("cvt.pack.sat.s16.s32 $0, r0, r1;", other("s16")),
        (
            "cvta.to.shared.u64 $1, $3;",
            pure(PureOp::ConvertAddress { to: true, space: Space::SharedBlock }, "u64"),
        ),
        (
            "cvta.global.u64 $1, $3;",
            pure(PureOp::ConvertAddress { to: false, space: Space::Global }, "u64"),
        ),
        ("isspacep.shared p, $3;", pure(PureOp::IsSpace(Space::SharedBlock), "pred")),
        ("mapa.shared::cluster.u32 $0, $2, r0;", pure(PureOp::MapToBlock, "u32")),
        ("getctarank.shared::cluster.u32 $0, $2;", pure(PureOp::BlockRank, "u32")),
        ("ex2.approx.ftz.f32 f0, f1;", other("f32")),
        ("rcp.approx.ftz.f64 d0, d1;", other("f64")),
        ("fma.rn.f32 f0, f1, f2, f3;", other("f32")),
        ("copysign.f32 f0, f1, f2;", other("f32")),
        ("sad.u32 $0, r0, r1, r2;", other("u32")),
        ("mul24.lo.s32 $0, r0, r1;", other("s32")),
        ("mad24.lo.u32 $0, r0, r1, r2;", other("u32")),
        ("dp4a.u32.s32 $0, r0, r1, r2;", other("u32")),
        ("dp2a.lo.s32.s32 $0, r0, r1, r2;", other("s32")),
        ("vadd4.u32.u32.u32.sat $0, r0, r1, r2;", other("u32")),
        ("mbarrier.pending_count.b64 $0, $3;", other("b64")),
        ("createpolicy.fractional.L2::evict_first.b64 $1, 0f3F800000;", carry()),
    ]
}

#[test]
fn functions_of_registers() {
    check(&examples());
}

#[test]
fn a_result_cannot_be_a_number_or_an_input() {
    check(&[("add.u32 5, r0, r1;", Class::Unknown), ("add.u32 $2, r0, r1;", Class::Unknown)]);
}
