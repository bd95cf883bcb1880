//! The text form of AXB tests: what prints reads back, and errors say where.

use heddle_progress::axb::{Branch, parse};

#[track_caller]
fn fails(text: &str, line: usize, column: usize, message: &str) {
    let error = parse(text).expect_err("not a test");
    assert_eq!((error.line, error.column, error.message.as_str()), (line, column, message));
}

#[test]
fn published_tests_read_back() {
    let Some(tests) = crate::published::tests() else { return };
    for published in tests {
        let text = published.test.to_string();
        assert_eq!(parse(&text).as_ref(), Ok(&published.test), "{text}");
    }
}

#[test]
fn a_test_reads_back() {
    let text = "\
test wait
locations flag other
thread 0
  L0: load flag, if 0 goto L0
      exch other = 1, if 1 goto end
      store flag = 0
thread 1
      store flag = 1
";
    let test = parse(text).expect("a test");
    assert_eq!(test.to_string(), text);
    assert_eq!(test.threads[0][0].branch, Some(Branch { value: 0, target: 0 }));
}

#[test]
fn comments_labels_and_bare_threads() {
    let text = "thread # first\n  a: b:\n  c: load x, if 0 goto b // spins\nthread\n store x = 1";
    let test = parse(text).expect("a test");
    assert_eq!(test.threads.len(), 2);
    assert_eq!(test.threads[0][0].branch, Some(Branch { value: 0, target: 0 }));
}

#[test]
fn a_branch_to_the_next_instruction_is_none() {
    let test = parse("thread\n exch x = 1, if 0 goto n\n n: store x = 0\n").expect("a test");
    assert_eq!(test.threads[0][0].branch, None);
}

#[test]
fn errors_say_where() {
    fails("", 1, 1, "expected at least one `thread`");
    fails("store x = 1", 1, 1, "expected `test`, `locations` or `thread`, found `store`");
    fails("thread 1\n store x = 1", 1, 8, "expected thread 0, found `1`");
    fails("thread 0\nthread 1\n store x = 1", 1, 1, "this thread has no instructions");
    fails("thread\n store x 1", 2, 10, "expected `=`, found `1`");
    fails("thread\n store x = 256", 2, 12, "expected a value from 0 to 255, found `256`");
    fails("thread\n store x =", 2, 11, "expected a value from 0 to 255, found the end of the line");
    fails("thread\n jump x", 2, 2, "expected `load`, `store` or `exch`, found `jump`");
    fails("thread\n load x, if 0 goto L", 2, 20, "label `L` is not defined in this thread");
    fails("thread\n L: store x = 1\n L: store x = 1", 3, 2, "label `L` is defined twice");
    fails("thread\n end: store x = 1", 2, 2, "`end` names the end of each thread already");
    fails("thread\n store x = 1, if 0 goto end", 2, 13, "a `store` does not branch; write `exch`");
    fails("thread\n store x = 1 1", 2, 14, "expected the end of the line, found `1`");
    fails("locations x\nthread\n store y = 1", 3, 8, "location `y` is not declared");
    fails("locations x x\nthread\n store x = 1", 1, 13, "location `x` is declared twice");
    fails(
        "test a\ntest b\nthread\n store x = 1",
        2,
        1,
        "`test` comes once, before the first thread",
    );
    fails("thread\n störe ü = ?", 2, 2, "expected `load`, `store` or `exch`, found `störe`");
    fails("thread\n store ü = ?", 2, 12, "expected a value from 0 to 255, found `?`");
}
