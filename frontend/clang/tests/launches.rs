//! What the host's part of a CUDA source says about the launches of its kernels.

use heddle_clang::Embedded;
use heddle_frontend::{CompileOptions, Input, Language, load_with};
use heddle_lift::prepare::kernels::find;

/// Kernels that no launch touches, and then the host.
fn launches_of(host: &str) -> Vec<(String, Vec<String>)> {
    let source = format!(
        "__global__ void a(int *p) {{ p[0] = 1; }}\n\
         template <typename T> __global__ void b(T *p) {{ p[0] = 1; }}\n\
         {host}\n"
    );
    let input = Input::memory("k.cu", source).with_language(Language::Cuda);
    let prepared = load_with(&input, &CompileOptions::default(), &Embedded)
        .unwrap_or_else(|error| panic!("{error}\n{}", error.output));
    let size = |sizes: [Option<u32>; 3]| {
        sizes.map(|it| it.map_or_else(|| "?".to_owned(), |it| it.to_string())).join(",")
    };
    let kernels = find(&prepared.module).into_iter();
    let shown = kernels.map(|it| {
        let launches = it.launches.iter();
        (it.display, launches.map(|l| format!("{} {}", size(l.grid), size(l.block))).collect())
    });
    shown.collect()
}

fn launches_of_a(host: &str) -> Vec<String> {
    let all = launches_of(host);
    all.into_iter().find(|(name, _)| name == "a").expect("the kernel is there").1
}

#[test]
fn constants_are_read_wherever_they_stand() {
    for (host, expected) in [
        ("void f(int *p) { a<<<4, 256>>>(p); }", "4,1,1 256,1,1"),
        ("void f(int *p) { a<<<dim3(4, 2), dim3(16, 16)>>>(p); }", "4,2,1 16,16,1"),
        ("void f(int *p, int n) { a<<<n, 64>>>(p); }", "?,1,1 64,1,1"),
        ("void f(int *p, int n) { a<<<dim3(n / 8, 3), 64>>>(p); }", "?,3,1 64,1,1"),
        ("#define N 32\nvoid f(int *p) { dim3 t(N, N / 4); a<<<1, t>>>(p); }", "1,1,1 32,8,1"),
        ("const int N = 32; void f(int *p) { a<<<N * 2, N>>>(p); }", "64,1,1 32,1,1"),
        ("void f(int *p) { int t = 128; int b = t / 2; a<<<b, t>>>(p); }", "64,1,1 128,1,1"),
        ("void f(int *p) { dim3 t(8, 4); dim3 u = t; a<<<t.x, u>>>(p); }", "8,1,1 8,4,1"),
        ("void f(int *p) { for (int i = 0; i < 9; i++) a<<<2, 96>>>(p); }", "2,1,1 96,1,1"),
        (
            "template <int N> void f(int *p) { a<<<1, N>>>(p); } template void f<7>(int *);",
            "1,1,1 7,1,1",
        ),
        (
            "struct S { static constexpr int N = 48; void f(int *p) { a<<<1, N>>>(p); } };",
            "1,1,1 48,1,1",
        ),
        ("void f(int *p) { auto g = [=] { a<<<1, 33>>>(p); }; g(); }", "1,1,1 33,1,1"),
    ] {
        assert_eq!(launches_of_a(host), [expected], "{host}");
    }
}

#[test]
fn what_may_change_is_no_constant() {
    for (host, expected) in [
        ("void f(int *p, int n) { int t = 64; if (n) t = 128; a<<<1, t>>>(p); }", "1,1,1 ?,1,1"),
        ("void f(int *p) { int t = 64; t *= 2; a<<<1, t>>>(p); }", "1,1,1 ?,1,1"),
        ("void g(int &); void f(int *p) { int t = 64; g(t); a<<<1, t>>>(p); }", "1,1,1 ?,1,1"),
        ("void g(int *); void f(int *p) { int t = 64; g(&t); a<<<1, t>>>(p); }", "1,1,1 ?,1,1"),
        (
            "void f(int *p) { int t = 64; auto g = [&] { t++; }; g(); a<<<1, t>>>(p); }",
            "1,1,1 ?,1,1",
        ),
        ("void f(int *p) { dim3 t(64); t.x = 128; a<<<1, t>>>(p); }", "1,1,1 ?,?,?"),
        ("void f(int *p, dim3 o) { dim3 t(64); t = o; a<<<1, t>>>(p); }", "1,1,1 ?,?,?"),
        ("int t = 64; void f(int *p) { a<<<1, t>>>(p); }", "1,1,1 ?,1,1"),
        ("void f(int *p) { for (int t = 32; t < 99; t *= 2) a<<<1, t>>>(p); }", "1,1,1 ?,1,1"),
        ("void f(int *p) { int t = 64; int &u = t; u = 3; a<<<1, t>>>(p); }", "1,1,1 ?,1,1"),
        ("void f(int *p) { int t = 300; char c = t; a<<<1, c>>>(p); }", "1,1,1 ?,1,1"),
    ] {
        assert_eq!(launches_of_a(host), [expected], "{host}");
    }
}

#[test]
fn all_launches_are_there() {
    let host = "void f(int *p) { a<<<1, 32>>>(p); a<<<1, 64>>>(p); a<<<1, 32>>>(p); }";
    assert_eq!(launches_of_a(host), ["1,1,1 32,1,1", "1,1,1 64,1,1"].map(str::to_owned)[..]);
    let host = "template <typename T> void g(T *p) { b<T><<<2, sizeof(T)>>>(p); }\n\
                void f(int *p, double *q) { g(p); g(q); }";
    let all = launches_of(host);
    let of = |name: &str| &all.iter().find(|it| it.0 == name).expect("instantiated").1;
    assert_eq!(
        (of("b<int>")[0].as_str(), of("b<double>")[0].as_str()),
        ("2,1,1 4,1,1", "2,1,1 8,1,1")
    );
}

#[test]
fn a_kernel_that_others_may_launch_has_no_known_launches() {
    let launch = "void f(int *p) { a<<<1, 32>>>(p); }";
    let escaped = format!("typedef void (*K)(int *); K g() {{ return a; }} {launch}");
    assert!(launches_of_a(&escaped).is_empty(), "a pointer to it leaves");
    let asked =
        format!("{launch} int g() {{ return cudaFuncSetAttribute(a, (cudaFuncAttribute)8, 1); }}");
    assert_eq!(launches_of_a(&asked), ["1,1,1 32,1,1"], "an attribute starts nothing");
    let by_call = "void f(int *p) { void *q[] = {&p}; cudaLaunchKernel((void *)a, dim3(3), dim3(5), q, 0, 0); }";
    assert_eq!(launches_of_a(by_call), ["3,1,1 5,1,1"]);
    assert!(launches_of_a("").is_empty(), "nobody launches it here");
}

#[test]
fn arguments_for_clang_change_nothing() {
    for argument in ["-w", "-Wno-everything", "-O3", "-fno-exceptions"] {
        let source = "__global__ void a(int *p) { p[0] = 1; }\nint main() { a<<<4, 256>>>(0); }";
        let input = Input::memory("k.cu", source).with_language(Language::Cuda);
        let clang_args = vec![argument.into()];
        let options = CompileOptions { clang_args, ..CompileOptions::default() };
        let prepared = load_with(&input, &options, &Embedded)
            .unwrap_or_else(|error| panic!("{error}\n{}", error.output));
        let kernels = find(&prepared.module);
        assert_eq!(kernels[0].launches.len(), 1, "{argument}");
    }
}

#[test]
fn what_the_module_lacks_is_named() {
    let source = "__global__ void there(int *p) { p[0] = 1; }
        template <class T> __global__ void never(T *p) { p[0] = 1; }
        template <class T> __global__ void once(T *p) { p[0] = 1; }
        template __global__ void once<int>(int *);
        template <class T> __global__ void started(T *p) { p[0] = 1; }
        namespace n { template <int N> __global__ void inner(int *p) { p[0] = N; } }
        namespace { __global__ void hidden(int *p) { p[0] = 1; } }
        static __global__ void own(int *p) { p[0] = 1; }
        __global__ void declared(int *p);
        int main() { started<<<1, 1>>>((float *)0); hidden<<<1, 1>>>(0); own<<<1, 1>>>(0); }";
    let input = Input::memory("k.cu", source).with_language(Language::Cuda);
    let prepared = load_with(&input, &CompileOptions::default(), &Embedded)
        .unwrap_or_else(|error| panic!("{error}\n{}", error.output));
    assert_eq!(prepared.missing, ["never", "n::inner"]);
}
