// A thread keeps what it finds: it finds at most one thing in each iteration.
// launch: grid=1 block=64 size=out=1024 size=in=1024
__global__ void k(int *out, const int *in) {
  int found = 0;
  for (int i = 0; i < 16; i++)
    if (in[threadIdx.x * 16 + i] > 3) out[threadIdx.x * 16 + found++] = i;
}
