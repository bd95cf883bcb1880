// A kernel that was written for blocks of 256 threads is right for all that are not larger.
// launch: grid=1 block=any assume="blockDim.x <= 256"
__global__ void k(const int *in, int *out) {
  int t = threadIdx.x;
  for (int i = t; i < 1024; i += 256)
    out[i] = in[i] + t;
}
