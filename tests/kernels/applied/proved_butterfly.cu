// The butterflies of a transform work on pairs of shared slots that a doubling span keeps apart.
// launch: grid=1 block=128
__global__ void k(int *data) {
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = data[t];
  s[t + 128] = data[t + 128];
  for (int span = 1; span < 256; span *= 2) {
    __syncthreads();
    int low = t / span * 2 * span + t % span, high = low + span;
    int a = s[low], b = s[high];
    s[low] = a + b;
    s[high] = a - b;
  }
  __syncthreads();
  data[t] = s[t];
  data[t + 128] = s[t + 128];
}
