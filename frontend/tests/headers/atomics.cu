// Atomics, fences and standard names of namespace cuda.
#include <cuda/atomic>
#include <cuda/functional>
#include <cuda/latch>
#include <cuda/semaphore>
#include <cuda/std/array>
#include <cuda/std/atomic>
#include <cuda/std/cmath>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <nv/target>

struct Pair {
  int a, b;
};
__device__ cuda::atomic<int, cuda::thread_scope_device> total{0};

template <class T, cuda::thread_scope S> __device__ T numbers(T *p) {
  cuda::atomic_ref<T, S> r(*p);
  r.store(1, cuda::memory_order_release);
  r.exchange(2, cuda::memory_order_acq_rel);
  r.fetch_add(1, cuda::memory_order_relaxed);
  r.fetch_sub(1, cuda::memory_order_acquire);
  r.fetch_min(1);
  r.fetch_max(2, cuda::std::memory_order_release);
  T seen = r.load(cuda::memory_order_acquire);
  while (!r.compare_exchange_weak(seen, seen + 1, cuda::memory_order_release, cuda::memory_order_relaxed)) {
  }
  r.compare_exchange_strong(seen, 3);
  r = 4;
  r += 1;
  r -= 1;
  r++;
  --r;
  r.wait(5);
  r.notify_all();
  return r;
}
template <class T> __device__ T bits(T *p) {
  cuda::atomic_ref<T, cuda::thread_scope_block> r(*p);
  r.fetch_and(1);
  r.fetch_or(2);
  r ^= 3;
  return r.fetch_xor(4, cuda::memory_order_seq_cst);
}
__global__ void k(int *i, unsigned *u, long long *l, unsigned long long *n, float *f, double *d, short *s, Pair *p,
                  int **q) {
  i[0] = numbers<int, cuda::thread_scope_block>(i) + numbers<unsigned, cuda::thread_scope_device>(u) +
         numbers<long long, cuda::thread_scope_system>(l) + numbers<unsigned long long, cuda::thread_scope_thread>(n) +
         numbers<float, cuda::thread_scope_device>(f) + numbers<double, cuda::thread_scope_block>(d) +
         numbers<short, cuda::thread_scope_device>(s) + bits(i) + bits(u) + bits(l) + bits(n) + bits(s);
  cuda::atomic_ref<Pair> pair(*p);
  Pair seen{1, 2};
  pair.compare_exchange_strong(seen, Pair{3, 4});
  pair.store(seen);
  cuda::atomic_ref<int *> pointer(*q);
  pointer++;
  i[1] = *pointer.load();
  __shared__ cuda::atomic<unsigned, cuda::thread_scope_block> flag;
  flag.store(0, cuda::memory_order_relaxed);
  total.fetch_add(1);
  cuda::atomic_thread_fence(cuda::memory_order_acq_rel, cuda::thread_scope_block);
  cuda::std::atomic_thread_fence(cuda::std::memory_order_seq_cst);
  __shared__ cuda::latch<cuda::thread_scope_block> latch;
  init(&latch, 32);
  latch.arrive_and_wait();
  cuda::binary_semaphore<cuda::thread_scope_device> lock(1);
  lock.acquire();
  lock.release();
  NV_IF_TARGET(NV_PROVIDES_SM_80, (i[2] = 1;), (i[2] = nowhere;))
  NV_IF_TARGET(NV_IS_HOST, (nowhere();))
  NV_DISPATCH_TARGET(NV_PROVIDES_SM_120, (nowhere();), NV_PROVIDES_SM_70, (i[3] = 4;))
  cuda::std::array<int, 4> four{};
  i[4] = cuda::std::min(four[1], 3) + cuda::maximum<>{}(3, 4) + cuda::std::get<0>(cuda::std::make_tuple(1, 2));
  d[1] = cuda::std::sqrt(2.0);
  static_assert(cuda::std::is_same_v<cuda::std::atomic<int>, cuda::atomic<int, cuda::thread_scope_system>>);
}
__global__ void built_in(int *p, float *f) {
  int seen = 3;
  __nv_atomic_store_n(p, 3, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_BLOCK);
  __nv_atomic_fetch_add(f, 1.0f, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_max(p, 3, __NV_ATOMIC_RELAXED);
  __nv_atomic_compare_exchange_n(p, &seen, 4, false, __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_SYSTEM);
  p[3] = __nv_atomic_load_n(p, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_thread_fence(__NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);
}
