// Assembly takes the address of a function by its name: it is among those that the pointer may call.
// launch: grid=1 block=64 passes=races
typedef void (*Step)(int *, int);
__device__ __noinline__ void each(int *a, int i) { a[i] = 1; } // ~ HD0002
extern "C" __device__ __noinline__ void in_pairs(int *a, int i) { a[i / 2] = i; } // ~ HD0002
__global__ void k(int *a, int n) {
  Step step;
  asm("mov.u64 %0, in_pairs;" : "=l"(step));
  if (n == 77) step = each;
  step(a, threadIdx.x);
}
