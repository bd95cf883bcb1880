// The guard lets one element too many pass, for any launch.
// launch: grid=any block=any size=out=n check-bounds
__global__ void k(float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n)
    out[i] = 1; // ~ HD0301
}
