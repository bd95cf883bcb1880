//! `cp.async` and bulk copies in groups of the thread. Between issue and wait the destination is
//! unknown; at the wait it gets what the source held at the issue. A source that is written
//! meanwhile is a race, which other analyses report. What a copy combines is not computed. Copies
//! of work-groups are in [`super::group_copy`]. Of an operand of a matrix product, what is
//! certainly read is read by each thread of its warpgroup, from its issue to its own wait.

use std::collections::{BTreeMap, VecDeque};

use heddle_ir::{AsyncCopy, AsyncMechanism, ExprId, OPERAND_BYTES, ObjectId, ObjectKind, OpId};

use super::barrier::unsupported;
use super::group_copy::Events;
use super::{Done, Halt, Machine, Threads};
use crate::journal::{AccessClass, AccessEvent, CopyEvent, ThreadAccess};
use crate::stop::{Cause, Stop, Unknown, Use};

/// Bytes on their way.
#[derive(Debug)]
struct Copy {
    number: u64,
    object: ObjectId,
    offset: u64,
    bytes: Vec<Result<u128, Cause>>,
}

#[derive(Debug, Default)]
struct OfThread {
    open: Vec<Copy>,
    groups: VecDeque<Vec<Copy>>,
}

/// The copies under way, per thread.
#[derive(Debug, Default)]
pub(super) struct Copies {
    /// By thread, each with groups of their own.
    threads: BTreeMap<(u32, AsyncMechanism), OfThread>,
    pub(super) events: Events,
    /// Numbers that were given.
    pub(super) issued: u64,
}

/// Copies of more bytes than this are beyond the instructions that exist; and bulk copies that are
/// not run.
const LARGEST: u64 = 4096;
const LARGEST_BULK: u64 = 1 << 20;

/// That copies by this mechanism have groups.
fn has_groups(id: OpId, mechanism: AsyncMechanism) -> Result<(), Halt> {
    match mechanism {
        AsyncMechanism::CpAsync | AsyncMechanism::BulkGroup | AsyncMechanism::Matrix => Ok(()),
        AsyncMechanism::BulkMbarrier | AsyncMechanism::Tensor | AsyncMechanism::WorkGroupEvent => {
            let why = "copies that arrive at barrier objects are not executed".to_owned();
            Err(Stop::Unsupported { op: id, why }.into())
        }
    }
}

impl Machine<'_> {
    pub(super) fn issue_copy(&mut self, id: OpId, copy: &AsyncCopy, active: &Threads) -> Done {
        let AsyncCopy {
            mechanism,
            destination,
            source,
            size,
            read,
            mbarrier: _,
            event: _,
            strided,
            combines,
        } = copy;
        if *mechanism == AsyncMechanism::WorkGroupEvent {
            return self.issue_group_copy(id, copy, active);
        }
        has_groups(id, *mechanism)?;
        if *mechanism == AsyncMechanism::Matrix {
            return self.issue_operand(id, copy, active);
        }
        if strided.is_some() {
            return unsupported(id, "only copies of work-groups are in strides");
        }
        let is_bulk = *mechanism == AsyncMechanism::BulkGroup;
        if self.kernel[destination.object].kind == ObjectKind::Unknown {
            return unsupported(id, "what it writes to could not be told");
        }
        let (to, lost) = self.addresses(id, destination, *size, active)?;
        let (from, unread) = self.addresses(id, source, read.unwrap_or(*size), active)?;
        let knowable = self.kernel[source.object].kind != ObjectKind::Unknown && !combines;
        let cause = self.cause(Unknown::Op(id));
        if !lost.is_empty() {
            self.clobber(destination.object, cause);
        }
        let largest = if is_bulk { LARGEST_BULK } else { LARGEST };
        if let Some(wild) = to.iter().find(|it| it.size > largest) {
            let why = format!("it copies {} bytes at once", wild.size);
            return unsupported(id, &why);
        }
        let mut told = Vec::new();
        let mut sources = from.iter().peekable();
        for target in &to {
            let source_of = loop {
                match sources.peek() {
                    Some(it) if it.thread < target.thread => _ = sources.next(),
                    Some(it) if it.thread == target.thread => break Some(**it),
                    Some(_) | None => break None,
                }
            };
            let bytes = match source_of.filter(|_| knowable) {
                Some(it) => {
                    let it = ThreadAccess { size: it.size.min(target.size), ..it };
                    let mut bytes = self.bytes_of(source.object, &it);
                    bytes.resize(target.size as usize, Ok(0));
                    bytes
                }
                None => vec![Err(cause); target.size as usize],
            };
            let number = self.copies.issued;
            self.copies.issued += 1;
            told.push(CopyEvent {
                number,
                destination: Some((destination.object, *target)),
                source: source_of.map(|it| (source.object, it)),
                group: None,
            });
            let copy = Copy { number, object: destination.object, offset: target.offset, bytes };
            let whose = (target.thread, *mechanism);
            self.copies.threads.entry(whose).or_default().open.push(copy);
        }
        self.store(destination.object, &to, &[], cause);
        if !unread.is_empty() || !lost.is_empty() {
            let left_out = if unread.is_empty() { lost } else { unread };
            self.tell(id, |visitor, at| visitor.skipped(at, &left_out))?;
        }
        let event = |class, object, threads| AccessEvent {
            class,
            atomic: None,
            object,
            threads,
            group: None,
            values: &[],
        };
        self.tell(id, |visitor, at| {
            visitor.access(at, &event(AccessClass::Read, source.object, &from))?;
            visitor.access(at, &event(AccessClass::Write, destination.object, &to))?;
            told.iter().try_for_each(|copy| visitor.copy_issued(at, copy))
        })
    }

    /// An operand of a matrix product is read from now on.
    fn issue_operand(&mut self, id: OpId, copy: &AsyncCopy, active: &Threads) -> Done {
        let source = copy.source;
        let reach = copy.read.unwrap_or(copy.size);
        if self.kernel[source.object].kind == ObjectKind::Unknown {
            return unsupported(id, "where the operand of a product lies could not be told");
        }
        let (mut from, unread) = self.addresses(id, &source, reach, active)?;
        let mut told = Vec::new();
        for it in &mut from {
            it.size = it.size.min(OPERAND_BYTES);
            let number = self.copies.issued;
            self.copies.issued += 1;
            let read = Some((source.object, *it));
            told.push(CopyEvent { number, destination: None, source: read, group: None });
            let (object, offset, bytes) = (source.object, it.offset, Vec::new());
            let whose = (it.thread, AsyncMechanism::Matrix);
            let copies = self.copies.threads.entry(whose).or_default();
            copies.open.push(Copy { number, object, offset, bytes });
        }
        if !unread.is_empty() {
            self.tell(id, |visitor, at| visitor.skipped(at, &unread))?;
        }
        self.tell(id, |visitor, at| {
            let threads = &from;
            let event = AccessEvent {
                class: AccessClass::Read,
                atomic: None,
                object: source.object,
                threads,
                group: None,
                values: &[],
            };
            visitor.access(at, &event)?;
            told.iter().try_for_each(|copy| visitor.copy_issued(at, copy))
        })
    }

    /// What an object holds where a thread looks, byte by byte.
    pub(super) fn bytes_of(
        &mut self,
        object: ObjectId,
        at: &ThreadAccess,
    ) -> Vec<Result<u128, Cause>> {
        let store = self.bytes(object, at.thread);
        (0..at.size).map(|index| store.load(at.offset.wrapping_add(index), 1)).collect()
    }

    pub(super) fn commit_copies(
        &mut self,
        id: OpId,
        mechanism: AsyncMechanism,
        active: &Threads,
    ) -> Done {
        has_groups(id, mechanism)?;
        for &thread in active.iter() {
            let of = self.copies.threads.entry((thread, mechanism)).or_default();
            let group = std::mem::take(&mut of.open);
            of.groups.push_back(group);
        }
        Ok(())
    }

    pub(super) fn wait_for_copies(
        &mut self,
        id: OpId,
        mechanism: AsyncMechanism,
        (pending, read_only): (ExprId, bool),
        active: &Threads,
    ) -> Done {
        has_groups(id, mechanism)?;
        let column = self.get(pending);
        for &thread in active.iter() {
            let pending = match column.get(thread) {
                Ok(pending) => pending,
                Err(cause) => return Err(self.unknown(Use::Barrier(id), thread, cause)),
            };
            let (mut arrived, mut read) = (Vec::new(), Vec::new());
            let of = self.copies.threads.entry((thread, mechanism)).or_default();
            if read_only {
                let over = (of.groups.len() as u128).saturating_sub(pending);
                let groups = of.groups.iter().take(over as usize);
                read.extend(groups.flatten().map(|copy| copy.number));
            } else {
                while of.groups.len() as u128 > pending {
                    arrived.extend(of.groups.pop_front().into_iter().flatten());
                }
            }
            for number in read {
                self.tell(id, |visitor, at| visitor.copy_read(at, number))?;
            }
            for copy in arrived {
                let number = copy.number;
                self.arrive(thread, copy);
                self.tell(id, |visitor, at| visitor.copy_done(at, number))?;
            }
        }
        Ok(())
    }

    fn arrive(&mut self, thread: u32, copy: Copy) {
        let store = self.bytes(copy.object, thread);
        for (index, byte) in (0..).zip(copy.bytes) {
            store.store(copy.offset.wrapping_add(index), 1, byte);
        }
    }
}
