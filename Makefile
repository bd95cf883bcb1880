# make demo          builds Heddle and checks a kernel with a race
# make test          all tests
# make bench         time and memory against clang, and of runs under race checks against Oclgrind
# make corpus-dynamic  every kernel of tests/kernels run with 50 seeds, every witness run as native code
# make fuzz          mutated IR, then drawn options of a project, each for 30 minutes: no panic, no crash, no hang, no file written
# make fuzz-verdicts  drawn and mutated kernels against runs, until stopped: no wrong verdict
# make faults        damaged caches, kills, full disks, limits, hostile projects, odd files: 25 rounds of each
# make miri          the executor under Miri, without fibers and native code (installs a nightly Rust)
# make mlir          builds heddle-mlir, with which `heddle` reads MLIR, and the pass for mlir-opt (installs MLIR)
# make gpu           on a machine with an NVIDIA GPU: all that can be learnt of it in ten minutes, as a record
# make gpu-kit       what `make gpu` runs, packed for a machine that has nothing but the GPU and its driver
# make triton        the tests of the Python package with Triton (286 MB from PyPI; no GPU)
# make numba         the same with Numba, NVVM and CuPy (700 MB from PyPI; no GPU)
# make install-deps  what the others need: clang and LLVM 22, Rust (Debian 12 and later; runs by itself)
# make test-deps     what the tests need besides: Z3, CMake, Ninja, Bazel (runs by itself)

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
export PATH := $(HOME)/.cargo/bin:$(PATH)

.PHONY: demo test bench corpus-dynamic fuzz fuzz-verdicts faults miri mlir gpu gpu-kit triton numba install-deps test-deps

# The kernel has a race, so `heddle` ends with status 1; any other status is a failure of the demo.
demo: install-deps
	cargo build --quiet --release --bin heddle
	status=0; cargo run --quiet --release --bin heddle -- check tests/demo/neighbour.cu || status=$$?; test $$status -eq 1

test: test-deps mlir
	cargo test --workspace --quiet

bench: install-deps
	cargo bench --bench corpus
	cargo bench --bench plugin
	cargo bench --bench dynamic

corpus-dynamic: install-deps
	HEDDLE_DYNAMIC=all HEDDLE_SEEDS=50 cargo test --release --test dynamic corpus -- --nocapture

fuzz: install-deps
	HEDDLE_FUZZ_SECONDS=$${HEDDLE_FUZZ_SECONDS:-1800} cargo test --release --test fuzz_ll
	HEDDLE_FUZZ_SECONDS=$${HEDDLE_FUZZ_SECONDS:-1800} cargo test --release --test project no_option_that_clang_knows

# HEDDLE_FUZZ_SECONDS=3600 make fuzz-verdicts stops after an hour.
fuzz-verdicts: install-deps
	HEDDLE_FUZZ_SECONDS=$${HEDDLE_FUZZ_SECONDS:-31536000} cargo test --release --test verdicts no_verdict_is_wrong -- --nocapture

# HEDDLE_FAULTS=200 make faults takes longer.
faults: install-deps
	HEDDLE_FAULTS=$${HEDDLE_FAULTS:-25} cargo test --test project -- faults hostile reads cache written
	cargo test --test dynamic -- dies refused load faults_of_a_kernel
	cargo test --test outputs -- refused break
	cargo test -p heddle-driver allowed
	HEDDLE_FUZZ_SECONDS=60 cargo test --test fuzz_ll

# A nightly of one day, so that the same Miri says the same: for a newer one, change the day.
MIRI := nightly-2026-05-20
miri: install-deps
	rustup toolchain install $(MIRI) --profile minimal --component miri --component rust-src
	MIRIFLAGS="-Zmiri-disable-isolation -Zmiri-permissive-provenance" \
	  cargo +$(MIRI) miri test --package heddle-runtime --lib --target-dir target/miri drive

# Beside `heddle` of either profile, where it is looked for. Statically linked: 170 MB, of which a link costs no second copy.
mlir:
	@tools/install-deps --mlir
	cargo build --quiet --release --locked --manifest-path frontend/mlir/Cargo.toml --target-dir target
	$(CXX) -shared -fPIC -O2 -fno-rtti $$(llvm-config-22 --cxxflags) frontend/mlir/plugin.cpp -o target/release/libheddle-mlir.so
	mkdir -p target/debug
	ln -f target/release/heddle-mlir target/release/libheddle-mlir.so target/debug/

# HEDDLE_GPU_SECONDS=1800 make gpu takes longer; HEDDLE_GPU=race takes the kernels with that text in their path,
# HEDDLE_GPU_SHORT=1 a few tasks of each other step.
# The driver is asked first: without a device nothing is built for it. `HEDDLE_CUDA_DRIVER` names another driver.
# What is assigned here a test assigns otherwise (tests/gpu/command.rs).
CARGO := cargo
GPU_BIN := target/debug
GPU_KIT := target/gpu/kit
GPU_RECORDS := tests/gpu/records
gpu_driver = $(if $(HEDDLE_CUDA_DRIVER),--cuda-driver $(HEDDLE_CUDA_DRIVER))
gpu: install-deps
	$(CARGO) build --quiet --bin heddle --bin heddle-device
	$(GPU_BIN)/heddle gpu-check $(gpu_driver)
	HEDDLE_GPU_KIT=$(GPU_KIT) $(CARGO) test --quiet --test gpu a_kit_is_written
	mkdir -p $(GPU_RECORDS)
	record=$$($(GPU_BIN)/heddle-device $(GPU_KIT) --out $(GPU_RECORDS) --seconds $${HEDDLE_GPU_SECONDS:-540} \
	  $(gpu_driver)); \
	  echo "$$record"; HEDDLE_RECORDS="$$record" $(CARGO) test --quiet --test gpu what_devices_gave

gpu-kit: install-deps
	cargo build --quiet --bin heddle-device
	HEDDLE_GPU_KIT=$(GPU_KIT) cargo test --quiet --test gpu a_kit_is_written
	cp target/debug/heddle-device target/gpu/
	strip target/gpu/heddle-device
	tar -C target/gpu -cJf target/gpu/kit.tar.xz kit heddle-device
	ls -l target/gpu/kit.tar.xz

triton: test-deps
	HEDDLE_TRITON=1 cargo test --test python

numba: test-deps
	HEDDLE_NUMBA=1 cargo test --test python

install-deps:
	@tools/install-deps

test-deps:
	@tools/install-deps --tests
