// The kernel writes what it reads by `__ldg`, at other places: that these are not written is named.
// launch: grid=1 block=64
__global__ void k(int *a) {
  a[threadIdx.x] = __ldg(&a[64 + threadIdx.x]);
  __syncthreads();
  a[128 + threadIdx.x] = a[63 - threadIdx.x];
}
