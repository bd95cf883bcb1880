// The discrete Fourier transform of an impulse at 1, of length 8 by butterflies: powers of the eighth root, which is (1 - i) / sqrt(2).
// run: grid=1 block=4 gives 3f800000 0 3f3504f3 bf3504f3 0 bf800000 bf3504f3 bf3504f3 bf800000 0 bf3504f3 3f3504f3 0 3f800000 3f3504f3 3f3504f3
__global__ void transform(float *out) {
  __shared__ float re[8], im[8];
  const float h = 0.70710678f, cosines[4] = {1, h, 0, -h}, sines[4] = {0, -h, -1, -h};
  int t = threadIdx.x;
  // In the order of reversed bits: the impulse at 1 is at 4.
  re[t] = im[t] = im[t + 4] = 0;
  re[t + 4] = t == 0 ? 1 : 0;
  __syncthreads();
  for (int half = 1; half < 8; half *= 2) {
    int low = t / half * 2 * half + t % half, k = t % half * (4 / half);
    float x = re[low + half] * cosines[k] - im[low + half] * sines[k], y = re[low + half] * sines[k] + im[low + half] * cosines[k];
    re[low + half] = re[low] - x, im[low + half] = im[low] - y;
    re[low] += x, im[low] += y;
    __syncthreads();
  }
  for (int i = t; i < 8; i += 4) {
    // Zeros of either sign are zero.
    out[2 * i] = re[i] + 0.0f;
    out[2 * i + 1] = im[i] + 0.0f;
  }
}
