// A structure and an array in dynamic shared memory begin at the same place.
// launch: grid=1 block=64
struct Tile {
  float a[64];
};
__global__ void k() {
  extern __shared__ Tile s;
  extern __shared__ float all[];
  s.a[threadIdx.x] = 1; // ~ HD0101
  all[threadIdx.x + 1] = 2;
}
