// An array that a structure may leave out is asked for before a store whose rows the caller's stride lets overlap.
// launch: grid=any block=64 passes=races
struct Output {
  float *rows;
  const float *bias;
  int stride;
};
__global__ void k(Output to) {
  const float *bias = to.bias == nullptr || blockIdx.y > 0 ? nullptr : to.bias + threadIdx.x;
  float first = bias != nullptr ? *bias : 0.0f;
  to.rows[threadIdx.x * to.stride] = first + threadIdx.x; // ~ HD0101
}
