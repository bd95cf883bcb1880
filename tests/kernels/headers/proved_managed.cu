// A managed variable is the device's without another word.
// launch: grid=any block=64
__managed__ int scale = 3;
__device__ __managed__ int offset;
__global__ void k(int *out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = scale + offset;
}
int main() {
  scale = 4;
  k<<<2, 64>>>(nullptr);
  return scale;
}
