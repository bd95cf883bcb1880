//! Answers that come from the cache are those that would be computed, whatever was asked before.

mod random;

use heddle_ir::{BinOp, CmpOp, ExprPool, NoWrap, SymId};
use heddle_solver::{Answer, Budget, Fuel, Query, QueryCache, decide};
use random::{Case, any, chains, explain, races, seeds};

/// One answer as text that two answers are compared by: the method, or the value of each leaf.
fn said(case: &Case, answer: &Answer) -> String {
    match answer {
        Answer::Unsat(method) => format!("{method:?}"),
        Answer::Unknown(why) => format!("{why}"),
        Answer::Sat(model) => {
            let value = |(leaf, _): &(_, _)| model.evaluate(&case.pool, *leaf);
            format!("{:?}", case.leaves.iter().map(value).collect::<Vec<_>>())
        }
    }
}

/// All of these are asked, with one cache for all, and once more when it has them.
fn check(cases: impl Iterator<Item = (u64, Case)>) {
    let cache = QueryCache::kept();
    let cases: Vec<_> = cases.collect();
    let units = 1 << 40;
    for (seed, case) in cases.iter().chain(&cases) {
        let of = |cache: QueryCache| {
            let fuel = Fuel::of(units);
            let budget = Budget { fuel: fuel.clone(), cache, ..Budget::default() };
            (decide(&case.pool, &case.query, &budget), units - fuel.left())
        };
        let (fresh, cost) = of(QueryCache::default());
        let (answer, again) = of(cache.clone());
        assert_eq!(said(case, &fresh), said(case, &answer), "{}", explain(*seed, case, &answer));
        assert_eq!(cost, again, "the fuel of {}", explain(*seed, case, &answer));
    }
}

#[test]
fn the_cache_changes_no_answer_and_no_cost() {
    check(seeds(0..400).map(|seed| (seed, any(seed, false))));
    check(seeds(100_000..100_300).map(|seed| (seed, any(seed, true))));
    check(seeds(200_000..200_200).map(|seed| (seed, races::case(seed))));
    check(seeds(300_000..300_200).map(|seed| (seed, chains::case(seed))));
    check(seeds(600_000..600_010).map(|seed| (seed, races::wide(seed))));
}

/// Whether `x * y == product` for some `x` and `y` from 2 to `most`, in a pool that begins with so
/// many other expressions.
fn product(product: u128, most: u128, others: u32) -> (ExprPool, Query) {
    let mut pool = ExprPool::new();
    for n in 0..others {
        pool.symbol(SymId::from_u32(100 + n), 16);
    }
    let [x, y] = [0, 1].map(|n| pool.symbol(SymId::from_u32(n), 32));
    let is = pool.constant(product, 32);
    let times = pool.binary_flagged(BinOp::Mul, NoWrap::BOTH, x, y);
    let facts = vec![pool.cmp(CmpOp::Eq, times, is)];
    let ranges = vec![(x, 2, most), (y, 2, most)];
    (pool, Query { facts, ranges, ..Query::default() })
}

#[test]
fn the_same_question_in_another_pool_has_a_model_there() {
    let budget = Budget { cache: QueryCache::kept(), ..Budget::default() };
    for others in 0..4 {
        let (pool, query) = product(1_147, 100, others);
        let answer = decide(&pool, &query, &budget);
        let model = answer.model().expect("31 * 37");
        let mut values: Vec<u128> =
            query.ranges.iter().filter_map(|it| model.value(it.0)).collect();
        values.sort_unstable();
        assert_eq!(values, [31, 37]);
    }
}

#[test]
fn budgets_are_alike_whatever_was_asked() {
    let budget = Budget { cache: QueryCache::kept(), ..Budget::default() };
    let text = format!("{budget:?}");
    let (pool, query) = product(1_147, 100, 0);
    assert!(!decide(&pool, &query, &budget).is_unsat());
    assert_eq!(format!("{budget:?}"), text);
    assert_eq!(budget, Budget::default());
}

#[test]
fn questions_that_differ_in_a_number_are_two() {
    let budget = Budget { cache: QueryCache::kept(), ..Budget::default() };
    let is_unsat = |of: u128, most: u128| {
        let (pool, query) = product(of, most, 0);
        decide(&pool, &query, &budget).is_unsat()
    };
    assert!(!is_unsat(1_147, 100));
    assert!(is_unsat(1_151, 100), "a prime");
    assert!(is_unsat(1_147, 36), "37 is above the bound");
    assert!(!is_unsat(1_147, 37));
}

#[test]
fn without_the_fuel_it_took_an_answer_is_not_given() {
    let cache = QueryCache::kept();
    let (pool, query) = product(1_151, 100, 0);
    let ask = |units: u64| {
        let budget = Budget { fuel: Fuel::of(units), cache: cache.clone(), ..Budget::default() };
        let fresh = Budget { fuel: Fuel::of(units), ..Budget::default() };
        let is_unsat = decide(&pool, &query, &budget).is_unsat();
        assert_eq!(is_unsat, decide(&pool, &query, &fresh).is_unsat(), "{units} units");
        is_unsat
    };
    assert!(ask(1 << 30));
    assert!(!ask(1), "one unit is not enough");
    assert!((0..20).any(|power| ask(1 << power)));
}
