// All bodies are staged through a shared tile that is refilled between two barriers.
// launch: grid=any block=128 assume="n % 128 == 0"
__global__ void k(const float4 *body, float4 *force, int n) {
  __shared__ float4 tile[128];
  int t = threadIdx.x;
  size_t g = (size_t)blockIdx.x * 128 + t;
  float4 own = body[g];
  float x = 0, y = 0, z = 0;
  for (int first = 0; first < n; first += 128) {
    tile[t] = body[first + t];
    __syncthreads();
    for (int j = 0; j < 128; j++) {
      float dx = tile[j].x - own.x, dy = tile[j].y - own.y, dz = tile[j].z - own.z;
      float w = tile[j].w / (dx * dx + dy * dy + dz * dz + 0.01f);
      x += w * dx;
      y += w * dy;
      z += w * dz;
    }
    __syncthreads();
  }
  force[g].x = x;
  force[g].y = y;
  force[g].z = z;
}
