// Functions of another file are not those of OpenCL, whatever their names say.
// launch: grid=any block=any
__device__ float step(float edge, float x);
__device__ int get_local_id(unsigned int dimension);
__global__ void k(float *out) {
  int t = get_local_id(0); // ~ HD0001
  out[blockIdx.x * blockDim.x + threadIdx.x] = step(t, 1.0f); // ~ HD0001
}
