//! Parts of copies: what one writes, or what it reads.
//!
//! **Does not**: say what may meet them; [`super`] does.

use heddle_ir::{Address, AsyncMechanism, BinOp, ExprId, NoWrap, OPERAND_BYTES, OpKind, Strided};

use super::is_followed_in;
use super::operand::into_line;
use crate::engine::instance::{FrameId, Instance};
use crate::engine::pending::Flight;
use crate::facts::analysis::Analysis;

/// What a copy writes, or what it reads.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) flight: Flight,
    pub(crate) address: Address,
    pub(super) size: ExprId,
    /// Of a tensor copy, the bytes it is taken to write.
    bytes: Option<u64>,
    /// It combines what is there, each element atomically.
    pub(super) combines: bool,
    /// The elements, where they do not stand after each other.
    strided: Option<Strided>,
    /// Of an operand that begins inside of a line of its pattern: how far, and how far all of the
    /// operands that begin in this line reach from its start.
    into: Option<(ExprId, ExprId)>,
    /// Of an operand, only the bytes that are read for certain.
    pub(super) sure: bool,
}

/// The parts of all copies that are followed, in the order of the text.
pub(super) fn parts(analysis: &Analysis<'_>) -> Vec<Part> {
    let kernel = analysis.kernel;
    let mut parts = Vec::new();
    kernel.for_each_op(|op, _| {
        if let OpKind::AsyncCopy(copy) = &kernel[op].kind
            && is_followed_in(analysis, op)
        {
            let read = copy.read.unwrap_or(copy.size);
            let bytes = analysis.phases().box_of(op);
            for (address, size, reads) in
                [(copy.destination, copy.size, false), (copy.source, read, true)]
            {
                // What a tensor copy reads is not written ([`Assumption::TensorBoxes`]).
                if bytes.is_some() && reads || !copy.writes() && !reads {
                    continue;
                }
                let flight = Flight { copy: op, mechanism: copy.mechanism, reads };
                let strided = copy.strided.filter(|it| it.of_source == reads);
                let into = (!copy.writes()).then(|| into_line(analysis, op, size)).flatten();
                let combines = copy.combines && !reads;
                let sure = false;
                parts.push(Part { flight, address, size, bytes, combines, strided, into, sure });
            }
        }
    });
    parts
}

impl Part {
    /// Whether it is an operand of a matrix product.
    pub(crate) fn is_operand(&self) -> bool {
        let mechanism = self.flight.mechanism;
        matches!(mechanism, AsyncMechanism::Matrix | AsyncMechanism::Tensor)
    }

    pub(super) fn bytes(&self, instance: &mut Instance<'_>, frame: FrameId) -> (ExprId, ExprId) {
        let start = instance.at(frame, self.address.offset);
        if self.sure && self.is_operand() {
            return (start, instance.pool.constant(u128::from(OPERAND_BYTES), 64));
        }
        if let Some((into, whole)) = self.into {
            let [into, whole] = [into, whole].map(|it| instance.at(frame, it));
            return (instance.pool.sub(start, into), whole);
        }
        if let Some(bytes) = self.bytes {
            return (start, instance.pool.constant(u128::from(bytes), 64));
        }
        let Some(Strided { of_source: _, count, each, apart }) = self.strided else {
            return (start, instance.at(frame, self.size));
        };
        // Any one of the elements. Each lies in the object, so its distance from the first one is
        // in the signed range; it may lie before that.
        let [count, each, apart] = [count, each, apart].map(|it| instance.at(frame, it));
        let index = instance.index_symbol(64, i64::MAX as u128);
        let is_one = instance.pool.ult(index, count);
        instance.state(is_one);
        let by = instance.pool.binary_flagged(BinOp::Mul, NoWrap::SIGNED, index, apart);
        (instance.pool.binary_flagged(BinOp::Add, NoWrap::SIGNED, start, by), each)
    }
}
