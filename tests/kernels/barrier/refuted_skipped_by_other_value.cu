// Each enumerator returns; a thread with another value of the type passes the barrier by.
// launch: grid=1 block=64 passes=barrier-divergence
enum class Mode : int { First, Second };
__global__ void k(int *out, const Mode *mode) {
  switch (mode[threadIdx.x]) {
  case Mode::First:
    __syncthreads();  // ~ HD0201
    out[threadIdx.x] = 1;
    return;
  case Mode::Second:
    return;
  }
}
