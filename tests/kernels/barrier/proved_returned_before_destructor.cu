// What a destructor does on the way out comes after the return: the thread has returned all the same.
// launch: grid=1 block=64 passes=barrier-divergence
struct Count {
  int *place;
  __device__ ~Count() { atomicAdd(place, 1); }
};
__global__ void k(int *out, int c, int n) {
  Count count{out};
  int t = threadIdx.x;
  if (t < c)
    return;
  __syncthreads();  // ~ HD0203
  if (n == 3)
    return;
  out[t + 1] = 1;
}
