// A lane stores and returns; the warp barrier does not wait for it, and completes when it has ended.
// launch: grid=1 block=64
__global__ void k(int *out) {
  __shared__ int z[2];
  int t = threadIdx.x;
  if (t % 32 == 1) { z[t / 32] = 1; return; }
  __syncwarp();
  if (t % 32 == 0) out[t] = z[t / 32];
}
