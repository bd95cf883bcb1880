// The sum of four neighbours on a grid of 4 by 8.
// run: grid=1 block=32 gives 41830000 41500000 41640000 41780000 41860000 41900000 419a0000 410c0000 416a0000 41dd0000 41a70000 41d60000 41a00000 41cf0000 41990000 41620000 41c50000 41c10000 41f00000 41ba0000 41e90000 41b30000 41e20000 41380000 414e0000 419c0000 41a60000 41b00000 41ba0000 41c40000 41520000 418f0000
__device__ float f(unsigned i) { return (float)(i * 37 % 101) / 8.0f; }

__global__ void stencil(float *out) {
  unsigned t = threadIdx.x;
  __shared__ float s[6][10];
  for (int i = t; i < 60; i += 32) s[i / 10][i % 10] = 0;
  __syncthreads();
  int y = t / 8 + 1, z = t % 8 + 1;
  s[y][z] = f(t);
  __syncthreads();
  out[t] = s[y][z - 1] + s[y][z + 1] + s[y - 1][z] + s[y + 1][z];
}
