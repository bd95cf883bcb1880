// The shared tile of bodies is refilled for the next round while slow threads still read it.
// launch: grid=2 block=128
struct Body { float x, w; };
__global__ void k(const Body *body, float *force, int n) {
  __shared__ float place[128];
  int t = threadIdx.x, g = blockIdx.x * 128 + t;
  float own = body[g].x, sum = 0;
  for (int first = 0; first < n; first += 128) {
    place[t] = body[first + t].x;   // ~ HD0101
    __syncthreads();
    for (int j = 0; j < 128; j++)
      sum += place[j] - own;
  }
  force[g] = sum;
}
