// Each warp normalises a row of its own by two shuffle reductions and never meets another warp.
// launch: grid=any block=32,4 assume="columns > 0 && gridDim.x <= 65535"
__global__ void k(const float *in, float *out, int columns) {
  int lane = threadIdx.x;
  size_t row = (size_t)blockIdx.x * 4 + threadIdx.y;
  float most = -1e30f, sum = 0;
  for (int c = lane; c < columns; c += 32)
    most = in[row * columns + c] > most ? in[row * columns + c] : most;
  for (int d = 16; d > 0; d /= 2) {
    float other = __shfl_xor_sync(0xffffffffu, most, d);
    most = other > most ? other : most;
  }
  for (int c = lane; c < columns; c += 32)
    sum += in[row * columns + c] - most;
  for (int d = 16; d > 0; d /= 2)
    sum += __shfl_xor_sync(0xffffffffu, sum, d);
  for (int c = lane; c < columns; c += 32)
    out[row * columns + c] = (in[row * columns + c] - most) / sum;
}
