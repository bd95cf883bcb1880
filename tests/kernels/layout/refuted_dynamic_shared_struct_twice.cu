// Two structures in dynamic shared memory begin at the same place, whatever their sizes.
// launch: grid=1 block=64
struct Tile {
  float a[64];
};
struct Pair {
  int x, y;
};
__global__ void k() {
  extern __shared__ Tile s;
  extern __shared__ Pair pair;
  s.a[threadIdx.x] = 1; // ~ HD0101
  if (threadIdx.x == 0)
    pair.y = 3;
}
