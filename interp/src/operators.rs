//! Operators over columns. The meaning of each is [`heddle_ir::fold_binary`] and its sisters; here
//! are the loops over threads, and what is known although an operand is not (`0 & x` is zero).

use heddle_ir::{
    BinOp, CastOp, CmpOp, NoWrap, UnOp, flags_hold, fold_binary, fold_cast, fold_cmp, fold_unary,
    is_undefined_division, mask,
};

use crate::column::{Column, Data, Range, View};
use crate::stop::Cause;

/// Runs `$body` with `$op` replaced by each operator in turn as a constant, so that each gets a
/// loop of its own.
macro_rules! fixed {
    ($kind:ident, $op:expr, $fixed:ident => $body:expr, [$($variant:ident)*]) => {
        match $op {
            $($kind::$variant => {
                #[allow(non_upper_case_globals, reason = "a constant that stands for a value")]
                const $fixed: $kind = $kind::$variant;
                $body
            })*
        }
    };
}

pub(crate) fn unary(op: UnOp, a: &Column, range: Range, buffer: Vec<u64>) -> Column {
    let width = a.width;
    let map = |value: u128| fold_unary(op, value, width);
    each(a, width, range, buffer, map)
}

pub(crate) fn cast(op: CastOp, a: &Column, to: u8, range: Range, buffer: Vec<u64>) -> Column {
    let from = a.width;
    if from <= 64 && to <= 64 && !matches!(a.data, Data::Uniform(..)) {
        let values = fixed!(CastOp, op, OP => {
            map1(a.narrow(range), buffer, |x| fold_cast(OP, u128::from(x), from, to) as u64)
        }, [Zext Sext Trunc]);
        return Column { width: to, data: Data::Narrow(range.0, values, causes1(a, range)) };
    }
    each(a, to, range, buffer, |value| fold_cast(op, value, from, to))
}

/// One operand, any widths.
fn each(
    a: &Column,
    width: u8,
    range: Range,
    buffer: Vec<u64>,
    map: impl Fn(u128) -> u128,
) -> Column {
    if let Data::Uniform(value, cause) = a.data {
        return Column { width, data: Data::Uniform(map(value), cause) };
    }
    let values = (range.0..range.1).map(|thread| map(a.bits(thread)));
    column(width, range, values, buffer, causes1(a, range))
}

fn column(
    width: u8,
    range: Range,
    values: impl Iterator<Item = u128>,
    buffer: Vec<u64>,
    causes: Option<Vec<Cause>>,
) -> Column {
    let data = match width > 64 {
        true => Data::Wide(range.0, values.collect(), causes),
        false => Data::Narrow(range.0, filled(buffer, values.map(|it| it as u64)), causes),
    };
    Column { width, data }
}

fn causes1(a: &Column, range: Range) -> Option<Vec<Cause>> {
    match a.causes(range) {
        View::One(Cause::KNOWN) => None,
        View::One(cause) => Some(vec![cause; (range.1 - range.0) as usize]),
        View::Many(causes) => Some(causes.to_vec()),
    }
}

/// A buffer with these values and no others.
#[inline]
fn filled(mut buffer: Vec<u64>, values: impl Iterator<Item = u64>) -> Vec<u64> {
    buffer.clear();
    buffer.extend(values);
    buffer
}

#[inline]
fn map1(a: View<'_, u64>, buffer: Vec<u64>, f: impl Fn(u64) -> u64) -> Vec<u64> {
    match a {
        View::One(a) => vec![f(a)],
        View::Many(a) => filled(buffer, a.iter().map(|&a| f(a))),
    }
}

#[inline]
fn map2(
    a: View<'_, u64>,
    b: View<'_, u64>,
    buffer: Vec<u64>,
    f: impl Fn(u64, u64) -> u64,
) -> Vec<u64> {
    match (a, b) {
        (View::One(a), View::One(b)) => vec![f(a, b)],
        (View::One(a), View::Many(b)) => filled(buffer, b.iter().map(|&b| f(a, b))),
        (View::Many(a), View::One(b)) => filled(buffer, a.iter().map(|&a| f(a, b))),
        (View::Many(a), View::Many(b)) => filled(buffer, a.iter().zip(b).map(|(&a, &b)| f(a, b))),
    }
}

pub(crate) fn binary(op: BinOp, a: &Column, b: &Column, range: Range, buffer: Vec<u64>) -> Column {
    let width = a.width;
    if let (Data::Uniform(x, ca), Data::Uniform(y, cb)) = (&a.data, &b.data) {
        let (value, cause) = absorb(op, (*x, *ca), (*y, *cb), width);
        return Column { width, data: Data::Uniform(value, cause) };
    }
    if !(a.is_known() && b.is_known()) {
        return binary_of_unknown(op, a, b, range);
    }
    if width > 64 {
        let values = (range.0..range.1).map(|t| fold_binary(op, a.bits(t), b.bits(t), width));
        return column(width, range, values, buffer, None);
    }
    let (x, y) = (a.narrow(range), b.narrow(range));
    let values = fixed!(BinOp, op, OP => {
        map2(x, y, buffer, |x, y| fold_binary(OP, u128::from(x), u128::from(y), width) as u64)
    }, [Add Sub Mul UDiv SDiv URem SRem Shl LShr AShr And Or Xor UMin UMax SMin SMax]);
    Column { width, data: Data::Narrow(range.0, values, None) }
}

/// Whether a known value of some thread has no meaning: a no-wrap flag does not hold, or a division
/// has no value.
pub(crate) fn is_undefined(op: BinOp, flags: NoWrap, a: &Column, b: &Column, range: Range) -> bool {
    let divides = matches!(op, BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem);
    if flags == NoWrap::NONE && !divides {
        return false;
    }
    let both_uniform = matches!((&a.data, &b.data), (Data::Uniform(..), Data::Uniform(..)));
    if a.width > 64 || both_uniform || !(a.is_known() && b.is_known()) {
        let end = if both_uniform { range.0 + 1 } else { range.1 };
        return (range.0..end).any(|thread| undefined_at(op, flags, a, b, thread));
    }
    let (x, y, width) = (a.narrow(range), b.narrow(range), a.width);
    let threads = 0..(range.1 - range.0) as usize;
    fixed!(BinOp, op, OP => {
        threads.into_iter().any(|index| {
            has_no_meaning(OP, flags, u128::from(x.at(index)), u128::from(y.at(index)), width)
        })
    }, [Add Sub Mul UDiv SDiv URem SRem Shl LShr AShr And Or Xor UMin UMax SMin SMax])
}

fn undefined_at(op: BinOp, flags: NoWrap, a: &Column, b: &Column, thread: u32) -> bool {
    let (Ok(x), Ok(y)) = (a.get(thread), b.get(thread)) else { return false };
    has_no_meaning(op, flags, x, y, a.width)
}

#[inline]
fn has_no_meaning(op: BinOp, flags: NoWrap, x: u128, y: u128, width: u8) -> bool {
    !flags_hold(op, flags, x, y, width) || is_undefined_division(op, x, y, width)
}

/// A result, unknown at the threads where it has no meaning.
pub(crate) fn without_undefined(
    op: BinOp,
    flags: NoWrap,
    (a, b): (&Column, &Column),
    value: &Column,
    cause: Cause,
    range: Range,
) -> Column {
    let values: Vec<Result<u128, Cause>> = (range.0..range.1)
        .map(|thread| match undefined_at(op, flags, a, b, thread) {
            true => Err(cause),
            false => value.get(thread),
        })
        .collect();
    Column::of_values(value.width, range.0, values.into_iter())
}

fn binary_of_unknown(op: BinOp, a: &Column, b: &Column, range: Range) -> Column {
    let (ca, cb) = (a.causes(range), b.causes(range));
    let length = (range.1 - range.0) as usize;
    let mut causes = Vec::with_capacity(length);
    let values = (range.0..range.1).zip(0..).map(|(thread, index)| {
        let (x, y) = ((a.bits(thread), ca.at(index)), (b.bits(thread), cb.at(index)));
        let (value, cause) = absorb(op, x, y, a.width);
        causes.push(cause);
        value
    });
    let values = values.collect::<Vec<_>>().into_iter();
    let mut made = column(a.width, range, values, Vec::new(), None);
    if causes.iter().any(|it| !it.is_known()) {
        match &mut made.data {
            Data::Narrow(_, _, it) | Data::Wide(_, _, it) => *it = Some(causes),
            Data::Uniform(..) => {}
        }
    }
    made
}

/// The value, where one operand alone decides it or both are known.
fn absorb(op: BinOp, a: (u128, Cause), b: (u128, Cause), width: u8) -> (u128, Cause) {
    let cause = a.1.or(b.1);
    if cause.is_known() {
        return (fold_binary(op, a.0, b.0, width), cause);
    }
    let ones = mask(u128::MAX, width);
    let deciding = match op {
        BinOp::And | BinOp::Mul | BinOp::UMin => Some(0),
        BinOp::Or | BinOp::UMax => Some(ones),
        BinOp::Add
        | BinOp::Sub
        | BinOp::UDiv
        | BinOp::SDiv
        | BinOp::URem
        | BinOp::SRem
        | BinOp::Shl
        | BinOp::LShr
        | BinOp::AShr
        | BinOp::Xor
        | BinOp::SMin
        | BinOp::SMax => None,
    };
    match deciding {
        Some(value) if [a, b].contains(&(value, Cause::KNOWN)) => (value, Cause::KNOWN),
        Some(_) | None => (0, cause),
    }
}

pub(crate) fn compare(op: CmpOp, a: &Column, b: &Column, range: Range, buffer: Vec<u64>) -> Column {
    let width = a.width;
    if let (Data::Uniform(x, ca), Data::Uniform(y, cb)) = (&a.data, &b.data) {
        let value = u128::from(fold_cmp(op, *x, *y, width));
        return Column { width: 1, data: Data::Uniform(value, ca.or(*cb)) };
    }
    let causes = causes2(a, b, range);
    if width > 64 {
        let values = (range.0..range.1)
            .map(|t| u128::from(fold_cmp(op, a.bits(t), b.bits(t), width)))
            .collect::<Vec<_>>();
        return column(1, range, values.into_iter(), buffer, causes);
    }
    let (x, y) = (a.narrow(range), b.narrow(range));
    let values = fixed!(CmpOp, op, OP => {
        let holds = |x: u64, y: u64| fold_cmp(OP, u128::from(x), u128::from(y), width);
        map2(x, y, buffer, |x, y| u64::from(holds(x, y)))
    }, [Eq Ult Ule Slt Sle]);
    Column { width: 1, data: Data::Narrow(range.0, values, causes) }
}

fn causes2(a: &Column, b: &Column, range: Range) -> Option<Vec<Cause>> {
    if a.is_known() && b.is_known() {
        return None;
    }
    let (a, b) = (a.causes(range), b.causes(range));
    Some((0..(range.1 - range.0) as usize).map(|index| a.at(index).or(b.at(index))).collect())
}

pub(crate) fn select(c: &Column, a: &Column, b: &Column, range: Range, buffer: Vec<u64>) -> Column {
    let width = a.width;
    if width <= 64 && c.is_known() && a.is_known() && b.is_known() {
        let (c, x, y) = (c.narrow(range), a.narrow(range), b.narrow(range));
        let values = (0..(range.1 - range.0) as usize)
            .map(|index| if c.at(index) != 0 { x.at(index) } else { y.at(index) });
        return Column { width, data: Data::Narrow(range.0, filled(buffer, values), None) };
    }
    let values: Vec<Result<u128, Cause>> = (range.0..range.1)
        .map(|thread| match c.get(thread) {
            Ok(0) => b.get(thread),
            Ok(_) => a.get(thread),
            // Both arms alike: which one does not matter.
            Err(cause) => match (a.get(thread), b.get(thread)) {
                (Ok(x), Ok(y)) if x == y => Ok(x),
                _ => Err(cause),
            },
        })
        .collect();
    Column::of_values(width, range.0, values.into_iter())
}
