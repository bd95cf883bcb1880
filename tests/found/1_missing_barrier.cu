// A reduction without the barrier between its steps; an optimiser that unrolls it hides nothing from the run.
// run: grid=1 block=128 | in=i32[128]:range out=i32[1] | HD0101
// check: grid=1 block=128 | HD0101
__global__ void k(const int *in, int *out) {
  __shared__ int s[128];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int d = 64; d; d /= 2)
    if (t < d)
      s[t] += s[t + d];
  if (t == 0)
    out[0] = s[0];
}
