// An index beyond the first part of a structure in dynamic shared memory meets the second part.
// launch: grid=1 block=128
struct Tile {
  float a[128], b[128];
};
__global__ void k() {
  extern __shared__ Tile s;
  float *all = s.a;
  s.b[threadIdx.x] = 1; // ~ HD0101
  all[threadIdx.x + 64] = 2;
}
