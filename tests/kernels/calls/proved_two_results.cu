// Functions with a second result behind a pointer write there, and nowhere else; each thread has its own place.
// launch: grid=any block=256
__global__ void polar(float *x, float *y, const float *angle, int n) {
  __shared__ float sine[256], cosine[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x, exponent = 0;
  float whole = 0;
  if (i < n) {
    sincosf(angle[i], &sine[threadIdx.x], &cosine[threadIdx.x]);
    float part = modff(frexpf(angle[i], &exponent), &whole) + lgammaf(angle[i]) + ldexpf(angle[i], exponent);
    x[i] = cosine[threadIdx.x] + part;
    y[i] = sine[threadIdx.x] + abs(exponent) + whole;
  }
}
