// Elements held to a range.
// run: grid=1 block=32 gives 32 9e 3c c8 78 32 b5 53 c8 8f 32 c8 6a 32 a7 45 c8 81 32 be 5c c8 98 36 c8 73 32 af 4e c8 8a 32
__device__ unsigned x(unsigned i) { return i * 2654435761u >> 24; }

__global__ void clip(unsigned *out) {
  unsigned t = threadIdx.x;
  out[t] = min(max(x(t), 50u), 200u);
}
