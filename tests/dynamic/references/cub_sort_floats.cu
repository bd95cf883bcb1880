// Numbers below and above zero, sorted downwards by their bits.
// run: grid=1 block=64 gives 7de 7a8 751 71b 6fa 6c4 66d 637 5e0 5aa 589 553 4fc 4c6 46e 417 3e1 38a 354 333 2fd 2a6 270 219 1e3 1c2 18c 135 ff a8 50 1a ffffffc3 ffffff8d ffffff6c ffffff36 fffffedf fffffea9 fffffe52 fffffdfb fffffdc5 fffffd6e fffffd38 fffffd16 fffffce1 fffffc89 fffffc54 fffffbfc fffffbc6 fffffba5 fffffb6f fffffb18 fffffae2 fffffa8b fffffa34 fffff9fe fffff9a7 fffff971 fffff950 fffff91a fffff8c2 fffff88d fffff835 fffff800
#include <cub/cub.cuh>
__device__ float x(unsigned i) { return (float)(i * 2654435761u >> 20) - 2048.0f; }
__global__ void sort(unsigned *out) {
  typedef cub::BlockRadixSort<float, 64, 1> Sort;
  __shared__ Sort::TempStorage lent;
  float key[1] = {x(threadIdx.x)};
  Sort(lent).SortDescending(key);
  out[threadIdx.x] = (unsigned)(int)key[0];
}
