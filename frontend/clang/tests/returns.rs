//! Which returns are written reaches the lift, and nothing that is executed.

use heddle_clang::Embedded;
use heddle_frontend::{CompileOptions, Input, Language, Values, compile, read};
use heddle_lift::prepare;
use heddle_llvm::{Block, Function, Module};

const KERNELS: &str = r"
__device__ int helper(int a) { if (a < 3) return 1; return a; }
__global__ void early(int *out, int n) { int t = threadIdx.x; if (t >= n) return; out[t] = helper(t); }
__global__ void scope(int *out, int n) { for (int i = 0; i < n; i++) { int y = out[i]; if (y) return; } out[0] = 1; }
__global__ void last(int *out) { out[0] = 1; { return; ; } }
__global__ void none(int *out, int n) { auto f = [&] { if (n) return; out[1] = 2; }; f(); }
";

fn prepared(values: Values) -> Module {
    let input = Input::memory("k.cu", KERNELS).with_language(Language::Cuda);
    let compiled = compile::to_ir(&input, &CompileOptions::default(), &Embedded).unwrap();
    let (module, target) = read::read("k.cu", &compiled.bytes).unwrap();
    let prepared = prepare::prepare("k.cu", module, target, values).unwrap();
    prepared.module.verify().unwrap();
    prepared.module
}

/// The end of a kernel that may come by a written return: a choice, or a constant.
fn end_of<'m>(function: Function<'m>) -> heddle_llvm::Value<'m> {
    let ends: Vec<_> = function.blocks().filter_map(Block::is_returned).collect();
    let [end] = ends[..] else { panic!("{} ends in {} places", function.name(), ends.len()) };
    end
}

#[test]
fn the_lift_is_told_which_returns_are_written() {
    let module = prepared(Values::Asked);
    let kernel = |name: &str| {
        let named = |it: &Function<'_>| it.name().contains(name) && it.tells_returns();
        module.functions().find(named).unwrap_or_else(|| panic!("{name} tells its returns"))
    };
    for name in ["early", "scope"] {
        let end = end_of(kernel(name));
        assert!(end.const_int().is_none(), "{name}: {}", end.text());
    }
    for name in ["last", "none"] {
        assert_eq!(end_of(kernel(name)).const_int(), Some(0), "{name}");
    }
    assert_eq!(module.functions().filter(|it| it.tells_returns()).count(), 4);
}

#[test]
fn what_is_executed_has_no_marks() {
    let text = prepared(Values::All).text();
    for mark in ["llvm.fake.use(", "heddle.returned", "heddle: "] {
        let used = text.lines().filter(|it| it.contains(mark) && !it.starts_with("declare"));
        assert_eq!(used.count(), 0, "{mark} in\n{text}");
    }
    assert!(text.contains("define"), "{text}");
}
