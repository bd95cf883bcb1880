// A counter goes on by 64 where the data say so: the found remainder keeps threads apart.
// launch: grid=1 block=64
__global__ void k(int *out, const int *in, int n) {
  int at = threadIdx.x;
  for (int i = 0; i < n; i++) {
    if (in[i * 64 + threadIdx.x] > 3) at += 64;
    out[at] = i;
  }
}
