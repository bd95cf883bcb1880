//! Parses operations.

use smallvec::SmallVec;

use super::lex::{ParseError, Token};
use super::parse::Parser;
use super::parse_header::space;
use crate::entity::{ExprId, ObjectId};
use crate::object::{Address, Space};
use crate::op::{
    ALL_MEMORY, Access, AccessKind, AsyncCopy, AsyncMechanism, AtomicOp, Barrier, BarrierAction,
    Claim, ClaimKind, ClusterAction, CrossLane, CrossLaneKind, Ending, MbarrierAction, MemoryOrder,
    OpKind, Opaque, Phase, Proxy, Reduction, RegisterMove, Scope, Strided, Touches,
};

/// A result that is named but not yet made: its name here, the source's, where, and its width.
pub(super) type NamedResult = (String, Option<String>, usize, u8);

/// Places and whole spaces.
type Touched = (SmallVec<[Address; 2]>, SmallVec<[Space; 2]>);

impl Parser<'_> {
    /// The width after a result's name.
    pub(super) fn result_of(
        &mut self,
        name: String,
        hint: Option<String>,
        at: usize,
    ) -> Result<NamedResult, ParseError> {
        self.source.sign(':')?;
        Ok((name, hint, at, self.source.width()?))
    }

    /// An operation, after those of its results that are read already.
    pub(super) fn operation(&mut self, mut results: Vec<NamedResult>) -> Result<(), ParseError> {
        let pred = match results.is_empty() && self.source.take_sign('[') {
            true => {
                let pred = self.term(Some(1))?;
                self.source.sign(']')?;
                pred
            }
            false => self.builder.exprs().truth(),
        };
        let has_results = !results.is_empty() || matches!(self.source.peek(), Token::Value(_));
        if has_results {
            while results.is_empty() || self.source.take_sign(',') {
                let (name, hint, at) = self.new_value()?;
                let result = self.result_of(name, hint, at)?;
                results.push(result);
            }
            self.source.sign('=')?;
        }
        let kind = self.op_kind()?;
        let origin = self.origin()?;
        let widths: Vec<u8> = results.iter().map(|(.., width)| *width).collect();
        let op = self.builder.op(pred, kind, &widths, origin);
        for (index, (name, hint, at, _)) in (0..).zip(results) {
            let value = self.builder.result(op, index);
            self.define(name, hint, value, at)?;
        }
        Ok(())
    }

    fn op_kind(&mut self) -> Result<OpKind, ParseError> {
        let Token::Word(word) = self.source.peek().clone() else {
            return Err(self.source.expected("an operation"));
        };
        if let Some(kind) = CrossLaneKind::from_name(&word) {
            self.source.advance();
            return self.cross_lane(kind);
        }
        let parts: Vec<&str> = word.split('.').collect();
        let at = self.source.position();
        self.source.advance();
        let kind = match parts.as_slice() {
            ["load", rest @ ..] => self.access(rest, |_| Ok(AccessKind::Load))?,
            ["store", rest @ ..] => {
                self.access(rest, |it| Ok(AccessKind::Store(it.terms()?.into())))?
            }
            ["atomic", op, rest @ ..] => match AtomicOp::from_name(op) {
                Some(op) => {
                    self.access(rest, |it| Ok(AccessKind::Atomic(op, it.terms()?.into())))?
                }
                None => None,
            },
            ["barrier", rest @ ..] => self.barrier(rest)?,
            ["mbarrier", action] => self.mbarrier(action)?,
            ["fence", order, scope] => self.fence(order, scope)?,
            ["copy", mechanism] => self.copy(mechanism)?,
            ["commit", it] => AsyncMechanism::from_name(it).map(OpKind::AsyncCommit),
            ["wait_events"] => Some(OpKind::EventWait(self.terms()?.into())),
            ["wait", it] => self.wait(it, false)?,
            ["wait", it, "read"] => self.wait(it, true)?,
            ["assume"] => Some(OpKind::Assume(self.term(Some(1))?)),
            ["assert"] => {
                let condition = self.term(Some(1))?;
                Some(OpKind::Assert { condition, message: self.source.name("its message")? })
            }
            ["claim", kind] => match ClaimKind::from_name(kind) {
                Some(kind) => {
                    let condition = self.term(Some(1))?;
                    let text = self.source.name("the text of the condition")?;
                    Some(OpKind::Claim(Claim { kind, condition, text }))
                }
                None => None,
            },
            ["exit", ending] => Ending::from_name(ending).map(OpKind::Exit),
            ["registers", how] => RegisterMove::from_name(how).map(OpKind::Registers),
            ["opaque"] => Some(OpKind::Opaque(self.opaque()?)),
            _ => None,
        };
        kind.ok_or_else(|| self.source.expected_at(at, "an operation"))
    }

    fn terms(&mut self) -> Result<Vec<ExprId>, ParseError> {
        self.source.sign('(')?;
        self.terms_until_closed()
    }

    pub(super) fn object(&mut self) -> Result<ObjectId, ParseError> {
        let at = self.source.position();
        let name = self.source.name("an object")?;
        match self.objects.get(&name) {
            Some(&object) => Ok(object),
            None => Err(self.source.expected_at(at, "an object of the header")),
        }
    }

    fn place(&mut self) -> Result<Address, ParseError> {
        let address = self.place_start()?;
        self.source.sign(']')?;
        Ok(address)
    }

    fn place_start(&mut self) -> Result<Address, ParseError> {
        let object = self.object()?;
        self.source.sign('[')?;
        Ok(Address { object, offset: self.term(Some(64))? })
    }

    /// `s[offset +: size]`.
    fn bytes(&mut self) -> Result<(Address, ExprId), ParseError> {
        let address = self.place_start()?;
        self.source.sign('+')?;
        self.source.sign(':')?;
        let size = self.term(Some(64))?;
        self.source.sign(']')?;
        Ok((address, size))
    }

    fn access(
        &mut self,
        words: &[&str],
        kind: impl FnOnce(&mut Self) -> Result<AccessKind, ParseError>,
    ) -> Result<Option<OpKind>, ParseError> {
        let (by_warp, words) = match words {
            [rest @ .., "by_warp"] => (true, rest),
            rest => (false, rest),
        };
        let aligned = |word: &str| -> Option<u32> { word.strip_prefix("align")?.parse().ok() };
        let (align, words) = match words {
            [rest @ .., word] if let Some(align) = aligned(word) => (align, rest),
            rest => (1, rest),
        };
        let (volatile, words) = match words {
            [rest @ .., "volatile"] => (true, rest),
            rest => (false, rest),
        };
        let order = match words {
            [] => None,
            [order, scope] => match (MemoryOrder::from_name(order), Scope::from_name(scope)) {
                (Some(order), Some(scope)) => Some((order, scope)),
                _ => return Ok(None),
            },
            _ => return Ok(None),
        };
        let (address, size) = self.bytes()?;
        let kind = kind(self)?;
        Ok(Some(OpKind::Access(Access { address, size, kind, order, volatile, align, by_warp })))
    }

    fn barrier(&mut self, words: &[&str]) -> Result<Option<OpKind>, ParseError> {
        let (aligned, words) = match words {
            [rest @ .., "aligned"] => (true, rest),
            rest => (false, rest),
        };
        let barrier = match words {
            ["block"] => {
                self.source.sign('(')?;
                let orders = self.term(Some(32))?;
                self.source.sign(')')?;
                Barrier::Block { aligned, orders, reduce: self.reduce()? }
            }
            ["named", action] => {
                let Some(action) = BarrierAction::from_name(action) else { return Ok(None) };
                self.source.sign('(')?;
                let id = self.term(Some(32))?;
                let count = match self.source.take_sign(',') {
                    true => Some(self.term(Some(32))?),
                    false => None,
                };
                self.source.sign(')')?;
                Barrier::Named { action, id, count, aligned, reduce: self.reduce()? }
            }
            ["warp"] if !aligned => {
                self.source.sign('(')?;
                let mask = self.term(Some(32))?;
                let orders = match self.source.take_sign(',') {
                    true => self.term(Some(32))?,
                    false => self.builder.exprs().constant(ALL_MEMORY, 32),
                };
                self.source.sign(')')?;
                Barrier::Warp { mask, orders }
            }
            ["cluster", action, order] => {
                match (ClusterAction::from_name(action), MemoryOrder::from_name(order)) {
                    (Some(action), Some(order)) => Barrier::Cluster { action, order, aligned },
                    _ => return Ok(None),
                }
            }
            ["grid"] if !aligned => Barrier::Grid,
            _ => return Ok(None),
        };
        Ok(Some(OpKind::Barrier(barrier)))
    }

    fn reduce(&mut self) -> Result<Option<(Reduction, ExprId)>, ParseError> {
        let reduction = match self.source.peek() {
            Token::Word(word) => Reduction::from_name(word),
            _ => None,
        };
        let Some(reduction) = reduction else { return Ok(None) };
        self.source.advance();
        Ok(Some((reduction, self.term(Some(1))?)))
    }

    fn mbarrier(&mut self, action: &str) -> Result<Option<OpKind>, ParseError> {
        let address = self.place()?;
        let action = match action {
            "init" => MbarrierAction::Init(self.term(Some(32))?),
            "invalidate" => MbarrierAction::Invalidate,
            "arrive" | "arrive_drop" => {
                let count = self.term(Some(32))?;
                let transactions = match self.source.take_word("tx") {
                    true => Some(self.term(Some(32))?),
                    false => None,
                };
                MbarrierAction::Arrive { count, transactions, drop: action == "arrive_drop" }
            }
            "copies_arrive" => MbarrierAction::CopiesArrive { extra: false },
            "copies_arrive_extra" => MbarrierAction::CopiesArrive { extra: true },
            "products_arrive" => MbarrierAction::ProductsArrive,
            "expect_tx" => MbarrierAction::ExpectTx(self.term(Some(32))?),
            "complete_tx" => MbarrierAction::CompleteTx(self.term(Some(32))?),
            "test" | "try_wait" => {
                let phase = if self.source.take_word("token") {
                    Phase::Token(self.term(Some(64))?)
                } else {
                    self.source.keyword("parity")?;
                    Phase::Parity(self.term(Some(32))?)
                };
                MbarrierAction::Test { phase, may_wait: action == "try_wait" }
            }
            _ => return Ok(None),
        };
        Ok(Some(OpKind::Barrier(Barrier::Mbarrier { address, action })))
    }

    fn fence(&mut self, order: &str, scope: &str) -> Result<Option<OpKind>, ParseError> {
        let (Some(order), Some(scope)) = (MemoryOrder::from_name(order), Scope::from_name(scope))
        else {
            return Ok(None);
        };
        let proxy = match self.source.take_word("proxy") {
            true => {
                let name = self.source.name("the name of a proxy")?;
                let Some(proxy) = Proxy::from_name(&name) else { return Ok(None) };
                Some(proxy)
            }
            false => None,
        };
        Ok(Some(OpKind::Fence { order, scope, proxy }))
    }

    fn copy(&mut self, mechanism: &str) -> Result<Option<OpKind>, ParseError> {
        let Some(mechanism) = AsyncMechanism::from_name(mechanism) else { return Ok(None) };
        let (destination, size) = self.bytes()?;
        self.source.keyword("from")?;
        let source = self.place_start()?;
        let read = match self.source.take_sign('+') {
            true => {
                self.source.sign(':')?;
                Some(self.term(Some(64))?)
            }
            false => None,
        };
        self.source.sign(']')?;
        let mbarrier = match self.source.take_word("signals") {
            true => Some(self.place()?),
            false => None,
        };
        let event = match self.source.take_word("event") {
            true => Some(self.term(Some(64))?),
            false => None,
        };
        let of_source = self.source.take_word("reads");
        let strided = match of_source || self.source.take_word("writes") {
            true => match self.terms()?[..] {
                [count, each, apart] => Some(Strided { of_source, count, each, apart }),
                _ => return Ok(None),
            },
            false => None,
        };
        let combines = self.source.take_word("combines");
        let copy = AsyncCopy {
            mechanism,
            destination,
            source,
            size,
            read,
            mbarrier,
            event,
            strided,
            combines,
        };
        Ok(Some(OpKind::AsyncCopy(copy)))
    }

    fn wait(&mut self, mechanism: &str, read_only: bool) -> Result<Option<OpKind>, ParseError> {
        let Some(mechanism) = AsyncMechanism::from_name(mechanism) else { return Ok(None) };
        let pending = self.term(Some(32))?;
        Ok(Some(OpKind::AsyncWait { mechanism, pending, read_only }))
    }

    fn cross_lane(&mut self, kind: CrossLaneKind) -> Result<OpKind, ParseError> {
        let args = self.terms()?.into();
        let mask = match self.source.take_word("mask") {
            true => Some(self.term(Some(32))?),
            false => None,
        };
        Ok(OpKind::CrossLane(CrossLane { kind, mask, args }))
    }

    fn opaque(&mut self) -> Result<Opaque, ParseError> {
        let name = self.source.name("its name")?;
        let args = self.terms()?.into();
        let mut touches = Touches::nothing();
        if self.source.take_word("reads") {
            (touches.reads, touches.reads_spaces) = self.touched()?;
        }
        if self.source.take_word("writes") {
            (touches.writes, touches.writes_spaces) = self.touched()?;
        }
        let may_synchronize = self.source.take_word("synchronizes");
        Ok(Opaque { name, args, touches, may_synchronize })
    }

    /// `(s[4], space global)`.
    fn touched(&mut self) -> Result<Touched, ParseError> {
        let (mut places, mut spaces) = (SmallVec::new(), SmallVec::new());
        self.source.sign('(')?;
        loop {
            // `space` may be the name of an object too.
            let names_space = matches!(self.source.peek(), Token::Word(word) if word == "space")
                && *self.source.peek_second() != Token::Sign('[');
            if names_space {
                self.source.advance();
                spaces.push(space(self.source)?);
            } else {
                places.push(self.place()?);
            }
            if self.source.take_sign(')') {
                return Ok((places, spaces));
            }
            if !self.source.take_sign(',') {
                return Err(self.source.expected("`,` or `)`"));
            }
        }
    }
}
