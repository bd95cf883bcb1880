//! Operations that threads do, read: what `ops.rs` writes.

use super::dialect::NONE;
use super::operands::{Given, text_of};
use super::tree::Attribute;
use crate::object::Space;
use crate::op::{
    Access, AccessKind, AsyncCopy, AsyncMechanism, AtomicOp, Barrier, BarrierAction, Claim,
    ClaimKind, ClusterAction, CrossLane, CrossLaneKind, Ending, MbarrierAction, MemoryOrder,
    OpKind, Opaque, Phase, Proxy, Reduction, RegisterMove, Scope, Strided, Touches,
};
use crate::text::ParseError;
use smallvec::SmallVec;

type Read<T> = Result<T, ParseError>;

/// What the operation of this name (without `heddle.`) does; its predicate is taken already.
pub(super) fn op_kind(name: &str, given: &mut Given<'_>) -> Read<OpKind> {
    Ok(match name {
        "load" | "store" | "atomic" => OpKind::Access(access(name, given)?),
        "barrier_block" | "barrier_named" | "barrier_warp" | "barrier_cluster" | "barrier_grid"
        | "mbarrier" => OpKind::Barrier(barrier(name, given)?),
        "fence" => OpKind::Fence {
            order: given.word("order", MemoryOrder::from_name)?,
            scope: given.word("scope", Scope::from_name)?,
            proxy: given.word("proxy", |it| or_none(it, Proxy::from_name))?,
        },
        "copy" => OpKind::AsyncCopy(copy(given)?),
        "commit" => OpKind::AsyncCommit(given.word("mechanism", AsyncMechanism::from_name)?),
        "wait" => OpKind::AsyncWait {
            mechanism: given.word("mechanism", AsyncMechanism::from_name)?,
            pending: given.expr()?,
            read_only: given.truth("read_only")?,
        },
        "wait_events" => OpKind::EventWait(given.rest()?.into()),
        "cross_lane" => OpKind::CrossLane(cross_lane(given)?),
        "assume" => OpKind::Assume(given.expr()?),
        "assert" => {
            OpKind::Assert { condition: given.expr()?, message: given.text("message")?.to_owned() }
        }
        "claim" => OpKind::Claim(Claim {
            kind: given.word("kind", ClaimKind::from_name)?,
            condition: given.expr()?,
            text: given.text("text")?.to_owned(),
        }),
        "exit" => OpKind::Exit(given.word("ending", Ending::from_name)?),
        "registers" => OpKind::Registers(given.word("how", RegisterMove::from_name)?),
        "opaque" => OpKind::Opaque(opaque(given)?),
        _ => return Err(given.expected("an operation of the dialect `heddle`")),
    })
}

/// `none`, or one that has this name.
fn or_none<T>(name: &str, from: impl FnOnce(&str) -> Option<T>) -> Option<Option<T>> {
    if name == NONE { Some(None) } else { from(name).map(Some) }
}

fn access(name: &str, given: &mut Given<'_>) -> Read<Access> {
    let (address, size) = (given.address()?, given.expr()?);
    let kind = match name {
        "load" => AccessKind::Load,
        "store" => AccessKind::Store(given.rest()?.into()),
        _ => AccessKind::Atomic(given.word("op", AtomicOp::from_name)?, given.rest()?.into()),
    };
    let order = given.word("order", |it| or_none(it, MemoryOrder::from_name))?;
    let scope = given.word("scope", |it| or_none(it, Scope::from_name))?;
    let order = match (order, scope) {
        (Some(order), Some(scope)) => Some((order, scope)),
        (None, None) => None,
        (Some(_), None) | (None, Some(_)) => {
            return Err(given.expected("an order and a scope, or neither"));
        }
    };
    let (volatile, by_warp) = (given.truth("volatile")?, given.truth("by_warp")?);
    let align = given.number("align")?;
    Ok(Access { address, size, kind, order, volatile, align, by_warp })
}

fn barrier(name: &str, given: &mut Given<'_>) -> Read<Barrier> {
    Ok(match name {
        "barrier_block" => Barrier::Block {
            aligned: given.truth("aligned")?,
            orders: given.expr()?,
            reduce: reduce(given)?,
        },
        "barrier_named" => Barrier::Named {
            action: given.word("action", BarrierAction::from_name)?,
            id: given.expr()?,
            count: given.expr_if(given.truth("has_count")?)?,
            aligned: given.truth("aligned")?,
            reduce: reduce(given)?,
        },
        "barrier_warp" => Barrier::Warp { mask: given.expr()?, orders: given.expr()? },
        "barrier_cluster" => Barrier::Cluster {
            action: given.word("action", ClusterAction::from_name)?,
            order: given.word("order", MemoryOrder::from_name)?,
            aligned: given.truth("aligned")?,
        },
        "barrier_grid" => Barrier::Grid,
        _ => Barrier::Mbarrier { address: given.address()?, action: mbarrier(given)? },
    })
}

fn reduce(given: &mut Given<'_>) -> Read<Option<(Reduction, crate::entity::ExprId)>> {
    match given.word("reduction", |it| or_none(it, Reduction::from_name))? {
        Some(reduction) => Ok(Some((reduction, given.expr()?))),
        None => Ok(None),
    }
}

fn mbarrier(given: &mut Given<'_>) -> Read<MbarrierAction> {
    let name = given.text("action")?;
    Ok(match name {
        "init" => MbarrierAction::Init(given.expr()?),
        "invalidate" => MbarrierAction::Invalidate,
        "arrive" | "arrive_drop" => MbarrierAction::Arrive {
            count: given.expr()?,
            transactions: given.expr_if(given.truth("has_transactions")?)?,
            drop: name == "arrive_drop",
        },
        "expect_tx" => MbarrierAction::ExpectTx(given.expr()?),
        "complete_tx" => MbarrierAction::CompleteTx(given.expr()?),
        "copies_arrive" => MbarrierAction::CopiesArrive { extra: false },
        "copies_arrive_extra" => MbarrierAction::CopiesArrive { extra: true },
        "products_arrive" => MbarrierAction::ProductsArrive,
        "test_token" => {
            MbarrierAction::Test { phase: Phase::Token(given.expr()?), may_wait: false }
        }
        "test_parity" => {
            MbarrierAction::Test { phase: Phase::Parity(given.expr()?), may_wait: false }
        }
        "try_wait_token" => {
            MbarrierAction::Test { phase: Phase::Token(given.expr()?), may_wait: true }
        }
        "try_wait_parity" => {
            MbarrierAction::Test { phase: Phase::Parity(given.expr()?), may_wait: true }
        }
        _ => return Err(given.expected("an action of a barrier object")),
    })
}

fn copy(given: &mut Given<'_>) -> Read<AsyncCopy> {
    let (destination, source, size) = (given.address()?, given.address()?, given.expr()?);
    let read = given.expr_if(given.truth("has_read")?)?;
    let mbarrier = if given.truth("has_mbarrier")? { Some(given.address()?) } else { None };
    let event = given.expr_if(given.truth("has_event")?)?;
    let side = given.text("strided")?;
    let strided = match side {
        NONE => None,
        "source" | "destination" => Some(Strided {
            of_source: side == "source",
            count: given.expr()?,
            each: given.expr()?,
            apart: given.expr()?,
        }),
        _ => return Err(given.expected("`none`, `source` or `destination` as `strided`")),
    };
    let mechanism = given.word("mechanism", AsyncMechanism::from_name)?;
    let combines = given.truth("combines")?;
    Ok(AsyncCopy { mechanism, destination, source, size, read, mbarrier, event, strided, combines })
}

fn cross_lane(given: &mut Given<'_>) -> Read<CrossLane> {
    let has_mask = given.truth("has_mask")?;
    let args = given.exprs(given.left().saturating_sub(usize::from(has_mask)))?.into();
    let kind = given.word("kind", CrossLaneKind::from_name)?;
    Ok(CrossLane { kind, mask: given.expr_if(has_mask)?, args })
}

fn opaque(given: &mut Given<'_>) -> Read<Opaque> {
    let name = given.text("name")?.to_owned();
    let args = given.exprs(given.number("arguments")? as usize)?.into();
    let reads = given.addresses(given.number("reads")?)?.into();
    let writes = given.addresses(given.number("writes")?)?.into();
    let reads_spaces = spaces(given, "reads_spaces")?;
    let writes_spaces = spaces(given, "writes_spaces")?;
    let may_synchronize = given.truth("synchronizes")?;
    let touches = Touches { reads, writes, reads_spaces, writes_spaces };
    Ok(Opaque { name, args, touches, may_synchronize })
}

fn spaces(given: &Given<'_>, name: &str) -> Read<SmallVec<[Space; 2]>> {
    let space = |it: &Attribute| {
        let space = text_of(it).and_then(Space::from_name);
        space.ok_or_else(|| given.expected(format!("names of spaces as `{name}`")))
    };
    given.list(name)?.iter().map(space).collect()
}
