// The butterflies of a transform forget to double the distance between their groups.
// launch: grid=1 block=128
__global__ void k(int *data) {
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = data[t];
  s[t + 128] = data[t + 128];
  for (int span = 1; span < 128; span *= 2) {
    __syncthreads();
    int low = t / span * span + t % span, high = low + span;
    int a = s[low], b = s[high];
    s[low] = a + b;    // ~ HD0101
    s[high] = a - b;   // ~ HD0101
  }
  __syncthreads();
  data[t] = s[t];
  data[t + 128] = s[t + 128];
}
