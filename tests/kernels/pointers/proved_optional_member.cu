// An array that a structure may leave out is asked for before each thread stores in a row of its own.
// launch: grid=1 block=64 passes=races
struct Output {
  float *rows;
  const float *bias;
  int stride;
};
__global__ void k(Output to) {
  __builtin_assume(to.stride > 0);
  const float *bias = to.bias == nullptr || blockIdx.y > 0 ? nullptr : to.bias + threadIdx.x;
  float first = bias != nullptr ? *bias : 0.0f;
  to.rows[threadIdx.x * to.stride] = first + threadIdx.x;
}
