// Elements from the last to the first.
// run: grid=1 block=32 gives 28 8a ec 4e af 11 73 d5 36 98 fa 5c be 1f 81 e3 45 a7 8 6a cc 2e 8f f1 53 b5 17 78 da 3c 9e 0
__device__ unsigned x(unsigned i) { return i * 2654435761u >> 24; }

__global__ void reverse(unsigned *out) {
  unsigned t = threadIdx.x;
  __shared__ unsigned s[32];
  s[t] = x(t);
  __syncthreads();
  out[t] = s[31 - t];
}
