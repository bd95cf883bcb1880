//! Which phase of a ring an operation is for, by the objects that it comes to and the parities that
//! it asks for.
//!
//! **Does not**: show that a thread leaves no phase out; `claims` does.

use heddle_ir::ExprId;

use super::{Found, Sequences, Slot};

/// The phase in iteration 0 up to whole turns of a ring, of an operation that comes to its objects
/// in turn.
pub(super) fn residue(it: &Found, order: &[Slot]) -> Option<i64> {
    let n = order.len();
    let ks: Vec<u64> = match &it.few {
        Some(few) => few.clone(),
        None if in_turn(it, n) => (0..n as u64).collect(),
        None => return None,
    };
    let fits = |shift: &i64| {
        ks.iter()
            .zip(&it.at)
            .all(|(k, slot)| order[(*k as i64 + shift).rem_euclid(n as i64) as usize] == *slot)
    };
    let residues: Vec<i64> = (0..n as i64).filter(fits).collect();
    match residues[..] {
        [residue] => Some(residue),
        _ => None,
    }
}

/// Whether an operation comes to objects as it begins, with this period, in all its iterations: a
/// list that begins anew does so at the end of a turn.
pub(super) fn in_turn(it: &Found, n: usize) -> bool {
    let goes_on = it.few.is_some() || it.at.len().is_multiple_of(n);
    let mut all = it.at.iter().zip(0..);
    goes_on && it.at.len() >= n && all.all(|(slot, index)| *slot == it.at[index % n])
}

/// The number of the phase that a wait is for in iteration 0, where object and parity of all
/// iterations agree with it and the thread's first wait at each object is for phase -1 or 0.
pub(super) fn waited_for(
    sequences: &mut Sequences<'_>,
    it: &Found,
    parity: ExprId,
    residue: i64,
    n: i64,
) -> Option<i64> {
    let of = it.step.of;
    let parities: Vec<(i64, u128)> = match &it.few {
        Some(few) => few
            .iter()
            .map(|k| Some((*k as i64, sequences.at(parity, of, *k)?)))
            .collect::<Option<_>>()?,
        None => {
            let one = match of.filter(|_| it.step.last) {
                Some(of) => sequences.after(parity, of)?,
                None => sequences.of(parity, of)?,
            };
            let turn = one.len() as i64;
            // Both go on alike after this many iterations.
            let all = turn * 2 * n;
            (0..all).map(|k| (k, one[(k % turn) as usize])).collect()
        }
    };
    [residue, residue - n].into_iter().find(|shift| {
        let fits =
            |(k, given): &(i64, u128)| (k + shift).div_euclid(n).rem_euclid(2) as u128 == given & 1;
        let starts = match &it.few {
            Some(few) => few
                .iter()
                .all(|k| *k as i64 + shift < n || few.iter().any(|before| before + n as u64 == *k)),
            // Waits before the loop are for the phases before.
            None => *shift < n,
        };
        starts && parities.iter().all(fits)
    })
}
