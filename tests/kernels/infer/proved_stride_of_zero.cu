// The elements of the threads are one: not where `stride >= 1`.
// launch: grid=1 block=64 assume="stride >= 1"
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;
}
