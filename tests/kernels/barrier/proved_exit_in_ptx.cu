// A thread ends in PTX on the way to the barrier, which does without it.
// launch: grid=1 block=64
__global__ void k(int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;
  if (t == 7)
    asm volatile("exit;");
  __syncthreads();
  out[t] = s[t ^ 1];
}
