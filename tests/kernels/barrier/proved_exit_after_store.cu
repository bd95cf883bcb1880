// A thread stores and exits; the others read what it stored after a barrier: its exit is named to come before.
// launch: grid=1 block=64
__global__ void k(int *out, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;
  if (t == n)
    asm volatile("exit;");
  __syncthreads();
  out[t] = s[t ^ 1];
}
