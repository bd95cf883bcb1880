//! OpenCL's copies by a work-group, by events (OpenCL C 3.0, 6.15.11). Between issue and wait the
//! destination is unknown; at the wait it gets what the source held at the issue.
//!
//! A copy, and a wait, is one of the whole block: each thread is told to have issued it, or to have
//! waited. Where not all threads come to it with the same arguments the program is undefined, which
//! the visitor is told as a divergence, and the run stops.
//!
//! **Does not**: know events that another launch made, or values of events that the program makes
//! up.

use std::collections::BTreeMap;
use std::rc::Rc;

use heddle_ir::{AsyncCopy, ExprId, ObjectId, ObjectKind, OpId, Strided};
use smallvec::SmallVec;

use super::barrier::unsupported;
use super::{Done, Machine, Threads};
use crate::column::Column;
use crate::journal::{AccessClass, AccessEvent, CopyEvent, Divergence, ThreadAccess};
use crate::stop::{Cause, Unknown, Use};

/// Bytes of a stretch that is on its way: the first, and what comes there.
type Piece = (u64, Vec<Result<u128, Cause>>);

/// A copy of the block that nobody has waited for.
#[derive(Debug)]
struct GroupCopy {
    /// Its numbers, one for each thread and piece.
    numbers: std::ops::Range<u64>,
    object: ObjectId,
    pieces: Vec<Piece>,
}

/// The copies under way, per event.
#[derive(Debug, Default)]
pub(super) struct Events {
    open: BTreeMap<u128, Vec<GroupCopy>>,
    made: u64,
}

/// Copies of more bytes than this are not run.
const LARGEST: u64 = 1 << 20;
/// Events are told from zero, and from small numbers of other kinds, by this bit.
const EVENT: u128 = 1 << 32;

impl Machine<'_> {
    pub(super) fn issue_group_copy(
        &mut self,
        id: OpId,
        copy: &AsyncCopy,
        active: &Threads,
    ) -> Done {
        let AsyncCopy {
            mechanism: _,
            destination,
            source,
            size,
            read,
            mbarrier: _,
            event,
            strided,
            combines: _,
        } = copy;
        let mut arguments = vec![destination.offset, source.offset, *size];
        arguments.extend(read.iter().chain(event));
        arguments.extend(strided.iter().flat_map(|it| [it.count, it.each, it.apart]));
        self.by_all_alike(id, &arguments, active)?;
        let objects = [destination.object, source.object];
        if objects.iter().any(|it| self.kernel[*it].kind == ObjectKind::Unknown) {
            return unsupported(id, "what it copies could not be told");
        }
        let first = active[0];
        let mut number = |expr: ExprId| match self.get(expr).get(first) {
            Ok(value) => Ok(value as u64),
            Err(cause) => Err(self.unknown(Use::Address(id), first, cause)),
        };
        let [to, from, size] =
            [number(destination.offset)?, number(source.offset)?, number(*size)?];
        let given = event.map_or(Ok(0), &mut number)?;
        // The stretches: where each is written and read, and its bytes.
        let stretches: Vec<[u64; 3]> = match strided {
            None => vec![[to, from, size]],
            Some(Strided { of_source, count, each, apart }) => {
                let [count, each, apart] = [number(*count)?, number(*each)?, number(*apart)?];
                let one = |n: u64| {
                    let (dense, wide) = (n.wrapping_mul(each), n.wrapping_mul(apart));
                    let [a, b] = if *of_source { [dense, wide] } else { [wide, dense] };
                    [to.wrapping_add(a), from.wrapping_add(b), each]
                };
                let all = count.saturating_mul(each.max(1));
                if all > LARGEST {
                    return unsupported(id, &format!("it copies {all} bytes at once"));
                }
                (0..count).map(one).collect()
            }
        };
        if size > LARGEST {
            return unsupported(id, &format!("it copies {size} bytes at once"));
        }
        self.spend(stretches.len())?;
        let started = self.copies.issued;
        let cause = self.cause(Unknown::Op(id));
        let mut pieces = Vec::with_capacity(stretches.len());
        for &[to, from, size] in &stretches {
            let at = ThreadAccess { thread: first, offset: from, size };
            pieces.push((to, self.bytes_of(source.object, &at)));
        }
        for &[to, _, size] in &stretches {
            let at = ThreadAccess { thread: first, offset: to, size };
            self.store(destination.object, &[at], &[], cause);
        }
        let group = self.copies.events.made;
        self.copies.events.made += 1;
        for &[to, from, size] in stretches.iter().filter(|it| it[2] > 0) {
            let all = |offset: u64| -> Vec<ThreadAccess> {
                active.iter().map(|&thread| ThreadAccess { thread, offset, size }).collect()
            };
            let (to, from) = (all(to), all(from));
            let numbers = self.copies.issued;
            self.copies.issued += active.len() as u64;
            let event = |class, object, threads| AccessEvent {
                class,
                atomic: None,
                object,
                threads,
                group: Some(group),
                values: &[],
            };
            self.tell(id, |visitor, at| {
                visitor.access(at, &event(AccessClass::Read, source.object, &from))?;
                visitor.access(at, &event(AccessClass::Write, destination.object, &to))?;
                (numbers..).zip(to.iter().zip(&from)).try_for_each(|(number, (to, from))| {
                    let destination = Some((destination.object, *to));
                    let source = Some((source.object, *from));
                    let group = Some(group);
                    visitor.copy_issued(at, &CopyEvent { number, destination, source, group })
                })
            })?;
        }
        let event = match given {
            0 => EVENT + u128::from(group),
            given => u128::from(given),
        };
        let numbers = started..self.copies.issued;
        let copy = GroupCopy { numbers, object: destination.object, pieces };
        self.copies.events.open.entry(event).or_default().push(copy);
        let results: SmallVec<[Rc<Column>; 2]> =
            SmallVec::from_iter([Rc::new(Column::uniform(event, 64))]);
        self.values.set_results(id, results);
        Ok(())
    }

    pub(super) fn wait_for_events(
        &mut self,
        id: OpId,
        events: &[ExprId],
        active: &Threads,
    ) -> Done {
        self.by_all_alike(id, events, active)?;
        for event in events {
            let event = match self.get(*event).get(active[0]) {
                Ok(event) => event,
                Err(cause) => return Err(self.unknown(Use::Barrier(id), active[0], cause)),
            };
            for copy in self.copies.events.open.remove(&event).unwrap_or_default() {
                let GroupCopy { numbers, object, pieces } = copy;
                let store = self.bytes(object, active[0]);
                for (start, bytes) in pieces {
                    for (index, byte) in (0..).zip(bytes) {
                        store.store(start.wrapping_add(index), 1, byte);
                    }
                }
                for number in numbers {
                    self.tell(id, |visitor, at| visitor.copy_done(at, number))?;
                }
            }
        }
        Ok(())
    }

    /// Whether all threads of the block come to an operation, with the same known arguments.
    fn by_all_alike(&mut self, id: OpId, arguments: &[ExprId], active: &Threads) -> Done {
        let mut here = active.iter().peekable();
        let mut missing: Vec<u32> = (0..self.launch.shape.threads())
            .filter(|thread| here.next_if_eq(&thread).is_none())
            .collect();
        if missing.is_empty() {
            let columns: Vec<Rc<Column>> = arguments.iter().map(|it| self.get(*it)).collect();
            let of = |thread: u32| -> Result<Vec<u128>, Cause> {
                columns.iter().map(|it| it.get(thread)).collect()
            };
            let alike = of(active[0]);
            for &thread in active.iter() {
                let own = of(thread);
                if let Err(cause) = own {
                    return Err(self.unknown(Use::Address(id), thread, cause));
                }
                if own != alike {
                    missing.push(thread);
                }
            }
        }
        if missing.is_empty() {
            return Ok(());
        }
        let arrived = active.iter().filter(|it| missing.binary_search(it).is_err());
        let divergence = Divergence {
            op: id,
            block: self.block,
            iterations: self.iterations.clone(),
            arrived: arrived.copied().collect(),
            missing,
        };
        self.tell(id, |visitor, _| visitor.divergence(&divergence))?;
        unsupported(id, "not all threads of the block come to it with the same arguments")
    }
}
