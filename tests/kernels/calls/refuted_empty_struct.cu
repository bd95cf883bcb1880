// A structure without members beside one that is read: the store goes to one place for two threads.
// launch: grid=2 block=32
struct Add {};
struct Times { Add tag; int by; };
__device__ int combine(int a, int b, Add) { return a + b; }
__device__ void put(int *p, int value, Add add, Times times) { *p = combine(value, times.by, add); }  // ~ HD0102
__global__ void k(int *p) {
  put(p + threadIdx.x, blockIdx.x, Add{}, Times{Add{}, 3});
}
