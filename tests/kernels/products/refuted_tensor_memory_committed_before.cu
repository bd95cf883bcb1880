// The arrival that gives a stage back waits for the products before, and not for this one.
// launch: grid=1 block=128 n=5
#define at(p) ((unsigned)__cvta_generic_to_shared(p))
#define init(b, n) asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at(b)), "r"(n) : "memory")
#define wait(b, parity)                                                                                                \
  asm volatile("{\n"                                                                                                   \
               ".reg .pred P1;\n"                                                                                      \
               "LAB_WAIT:\n"                                                                                           \
               "mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n"                                              \
               "@P1 bra DONE;\n"                                                                                       \
               "bra LAB_WAIT;\n"                                                                                       \
               "DONE:\n"                                                                                               \
               "}" ::"r"(at(b)), "r"(parity) : "memory")
#define expect(b, n) asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(b)), "r"(n) : "memory")
#define bring(to, from, n, b)                                                                                          \
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"              \
               ::"r"(at(to)), "l"(from), "r"(n), "r"(at(b)) : "memory")
#define alloc(p) asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], 128;" ::"r"(at(p)) : "memory")
#define dealloc(m) asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, 128;" ::"r"(m))
#define before() asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory")
#define after() asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory")
#define commit(b) asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(at(b)) : "memory")
#define operand(p) (((unsigned long long)(at(p) & 0x3ffff) >> 4) | 1ull << 16 | 64ull << 32 | 1ull << 46 | 2ull << 61)
// 128 rows and 64 columns of 16-bit floats.
#define SHAPE (8u << 24 | 8u << 17 | 1u << 4)
#define product(d, a, b, more)                                                                                         \
  asm volatile("{\n"                                                                                                   \
               ".reg .pred P1;\n"                                                                                      \
               "setp.ne.b32 P1, %4, 0;\n"                                                                              \
               "tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, P1;\n"                                            \
               "}" ::"r"(d), "l"(operand(a)), "l"(operand(b)), "r"(SHAPE), "r"(more) : "memory")
#define row(v, m) asm volatile("tcgen05.ld.sync.aligned.32x32b.x1.b32 %0, [%1];" : "=r"(v) : "r"(m))
#define rows_loaded() asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory")
constexpr int S = 3;
struct alignas(1024) Stage {
  unsigned short a[128][64], b[64][64];
};
__global__ void k(int *out, const Stage *in, int n) {
  extern __shared__ Stage s[];
  __shared__ long long full[S], empty[S], done;
  __shared__ unsigned memory;
  int t = threadIdx.x;
  if (t == 0) {
    for (int i = 0; i < S; i++) {
      init(&full[i], 1);
      init(&empty[i], 1);
    }
    init(&done, 1);
  }
  if (t / 32 == 1)
    alloc(&memory); // ~ HD0002
  before();
  __syncthreads();
  after();
  unsigned d = memory;
  int stage = 0;
  if (t == 0) {
    unsigned phase = 1;
    for (int i = 0; i < n; i++) {
      wait(&empty[stage], phase);
      expect(&full[stage], sizeof(Stage));
      bring(&s[stage], in + i, sizeof(Stage), &full[stage]); // ~ HD0101
      if (++stage == S) {
        stage = 0;
        phase ^= 1;
      }
    }
  } else if (t == 32) {
    unsigned phase = 0;
    for (int i = 0; i < n; i++) {
      wait(&full[stage], phase);
      after();
      commit(&empty[stage]);
      product(d, s[stage].a, s[stage].b, i);
      if (++stage == S) {
        stage = 0;
        phase ^= 1;
      }
    }
    commit(&done);
  }
  __syncwarp();
  wait(&done, 0);
  after();
  int v;
  row(v, d);
  rows_loaded();
  out[blockIdx.x * 128 + t] = v;
  before();
  __syncthreads();
  if (t / 32 == 1)
    dealloc(d);
}
