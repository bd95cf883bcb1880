// Two indices change places in each turn, but both lead to one buffer.
// launch: as-launched
__global__ void step(const float *from, float *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;  // ~ HD0002
  if (i > 0 && i < n - 1)
    to[i] = from[i - 1] + from[i + 1];
}
int main() {
  float *buffer[2];
  int n = 5000;
  cudaMalloc((void **)&buffer[0], n * sizeof(float));
  buffer[1] = buffer[0];
  int src = 1, dst = 0;
  for (int turn = 0; turn < 60; turn++) {
    int other = src;
    src = dst;
    dst = other;
    step<<<(n + 255) / 256, 256>>>(buffer[src], buffer[dst], n);
  }
}
