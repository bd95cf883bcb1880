//! Memory of a run in which arrays keep what is said of them.
//!
//! **What**: a model says what a few elements hold. [`keep`] chooses the others, and looks at all
//! of them; a run without such memory is none.
//! **Method**: where elements rise, the open ones lie on lines between those that the model has;
//! where they differ or have bounds, an open one keeps what it would hold otherwise, if it may, and
//! else gets the next number that it may have.
//! **Sound because** each contract is looked at in the end, element by element, in the memory that
//! the run starts with; how it was chosen does not matter.
//! **Misses**: memory that keeps several contracts about different parts of one array; arrays of
//! more than [`MOST`] elements.
//! **Assumes**: nothing.

use std::collections::BTreeMap;
use std::sync::Arc;

use heddle_interp::{Contents, Launch, Rest};
use heddle_ir::{ArrayContract, ArrayRule, Element, ObjectId};
use heddle_solver::Model;
use rustc_hash::FxHashSet;

use super::instance::{Instance, evaluate};

/// Elements of an array that are looked at, at most.
const MOST: u64 = 1 << 20;

/// What an array keeps in a run, in numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Kept {
    object: ObjectId,
    rule: ArrayRule,
    element: Element,
    start: u64,
    count: u64,
    /// The lowest number, and the first one beyond.
    bounds: [i128; 2],
}

impl Kept {
    /// The numbers of a model.
    pub(crate) fn of(instance: &Instance<'_>, model: &Model, contract: ArrayContract) -> Kept {
        let ArrayContract { rule, element, object, start, count, bounds } = contract;
        let [start, count, low, high] =
            [start, count, bounds[0], bounds[1]].map(|id| evaluate(instance, model, id) as u64);
        let count = if (count as i64) < 0 { 0 } else { count };
        let bounds = [low, high].map(|it| i128::from(it as i64));
        Kept { object, rule, element, start, count, bounds }
    }

    fn offset(&self, index: u64) -> u64 {
        self.start.wrapping_add(index.wrapping_mul(u64::from(self.element.bytes)))
    }

    /// Whether all elements keep it.
    fn is_kept_by(&self, contents: &Contents) -> bool {
        let mut seen = FxHashSet::default();
        let mut before: Option<i128> = None;
        (0..self.count).all(|index| {
            let Some(number) = self.number(contents, index) else { return false };
            let last = before.replace(number);
            match self.rule {
                ArrayRule::Injective => seen.insert(number),
                ArrayRule::Range => {
                    // Numbers of 64 bits are signed beside bounds.
                    let number = if self.element.bytes == 8 {
                        i128::from(number as u64 as i64)
                    } else {
                        number
                    };
                    self.bounds[0] <= number && number < self.bounds[1]
                }
                ArrayRule::Sorted => last.is_none_or(|it| it <= number),
                ArrayRule::Ascending => last.is_none_or(|it| it < number),
            }
        })
    }

    /// The number of an element, where all its bytes are known.
    fn number(&self, contents: &Contents, index: u64) -> Option<i128> {
        let bytes = 0..u64::from(self.element.bytes);
        let of_byte = |sum: u128, byte: u64| {
            let value = contents.byte(self.offset(index).wrapping_add(byte))?;
            Some(sum | u128::from(value) << (8 * byte))
        };
        Some(self.element.number(bytes.into_iter().try_fold(0, of_byte)?))
    }
}

/// The launch with memory that keeps all of this; `None` where nothing is said.
///
/// # Errors
/// Why there is none, in words.
pub(crate) fn keep(all: &[Kept], launch: &Launch) -> Result<Option<Launch>, String> {
    if all.is_empty() {
        return Ok(None);
    }
    if all.iter().any(|it| it.count > MOST) {
        return Err("an array of which something is said has too many elements".to_owned());
    }
    let mut launch = launch.clone();
    let mut by_object: BTreeMap<ObjectId, Vec<Kept>> = BTreeMap::new();
    for it in all {
        by_object.entry(it.object).or_default().push(*it);
    }
    for (object, rules) in by_object {
        let rest = launch.other_contents.clone();
        let contents = launch.buffers.entry(object).or_default();
        if let Rest::Unknown = contents.rest {
            contents.rest = rest;
        }
        choose(contents, &rules);
        if !rules.iter().all(|it| it.is_kept_by(contents)) {
            return Err("no memory was found in which arrays keep what is said of them".to_owned());
        }
    }
    Ok(Some(launch))
}

/// Chooses the elements that the contents leave open.
fn choose(contents: &mut Contents, rules: &[Kept]) {
    let Some(longest) = rules.iter().max_by_key(|it| it.count).copied() else { return };
    let alike = |it: &Kept| (it.start, it.element) == (longest.start, longest.element);
    if !rules.iter().all(alike) {
        return;
    }
    let has = |rule: ArrayRule| rules.iter().any(|it| it.rule == rule);
    let bits = u32::from(longest.element.bits());
    let [mut low, mut high] = match longest.element.signed {
        true => [-(1i128 << (bits - 1)), 1i128 << (bits - 1)],
        false => [0, 1i128 << bits],
    };
    for it in rules.iter().filter(|it| it.rule == ArrayRule::Range) {
        low = low.max(it.bounds[0]);
        high = high.min(it.bounds[1]);
    }
    let given: Vec<Option<i128>> = (0..longest.count)
        .map(|index| {
            let first = longest.offset(index);
            let mut bytes = 0..u64::from(longest.element.bytes);
            let is_given = bytes.all(|it| contents.bytes.contains_key(&first.wrapping_add(it)));
            is_given.then(|| longest.number(contents, index)).flatten()
        })
        .collect();
    let strictly = has(ArrayRule::Ascending) || has(ArrayRule::Injective);
    let chosen = if has(ArrayRule::Ascending) || has(ArrayRule::Sorted) {
        rising(&given, [low, high], strictly)
    } else {
        let otherwise = |index: u64| longest.number(contents, index);
        free(&given, [low, high], has(ArrayRule::Injective), otherwise)
    };
    let before = contents.rest.clone();
    let (start, bytes) = (longest.start, u64::from(longest.element.bytes));
    contents.rest = Rest::Function(Arc::new(move |offset| {
        let at = offset.wrapping_sub(start);
        match usize::try_from(at / bytes).ok().and_then(|it| chosen.get(it)) {
            Some(number) => Some((*number >> (8 * (at % bytes))) as u8),
            None => before.byte(offset),
        }
    }));
}

/// Numbers that rise, through those that are given.
fn rising(given: &[Option<i128>], [low, high]: [i128; 2], strictly: bool) -> Vec<i128> {
    let length = given.len() as i128;
    let first = given.iter().position(Option::is_some);
    let mut chosen = Vec::with_capacity(given.len());
    // The last given number, and its place.
    let mut last: Option<(i128, i128)> = None;
    let mut next = first;
    for (place, it) in given.iter().enumerate() {
        let at = place as i128;
        if let Some(number) = it {
            last = Some((at, *number));
            next = (place + 1..given.len()).find(|it| given[*it].is_some());
            chosen.push(*number);
            continue;
        }
        let number = match (last, next) {
            (Some((from, a)), Some(to)) => {
                let (to, b) = (to as i128, given[to].unwrap_or(a));
                a + (b - a) * (at - from) / (to - from)
            }
            (Some((from, a)), None) => (a + (at - from)).min(high - 1),
            (None, Some(to)) => {
                let (to, b) = (to as i128, given[to].unwrap_or(low));
                (b - (to - at)).max(if strictly { i128::MIN } else { low.max(0).min(b) })
            }
            (None, None) => {
                let from = low.max(0).min(high - 1);
                match from + length <= high || strictly {
                    true => from + at,
                    false => from + (high - 1 - from) * at / length,
                }
            }
        };
        chosen.push(number);
    }
    chosen
}

/// Numbers between bounds, each another one where they have to differ, beside those that are given.
fn free(
    given: &[Option<i128>],
    [low, high]: [i128; 2],
    differ: bool,
    otherwise: impl Fn(u64) -> Option<i128>,
) -> Vec<i128> {
    let mut used: FxHashSet<i128> = given.iter().flatten().copied().collect();
    let mut next = low.max(0).min(high - 1);
    let mut chosen = Vec::with_capacity(given.len());
    for (place, it) in given.iter().enumerate() {
        if let Some(number) = it {
            chosen.push(*number);
            continue;
        }
        let fits = |it: &i128, used: &FxHashSet<i128>| {
            low <= *it && *it < high && !(differ && used.contains(it))
        };
        let own = otherwise(place as u64).filter(|it| fits(it, &used));
        let number = own.unwrap_or_else(|| {
            if !differ {
                return low + (place as i128) % (high - low).max(1);
            }
            while used.contains(&next) && next < high {
                next += 1;
            }
            next
        });
        used.insert(number);
        chosen.push(number);
    }
    chosen
}
