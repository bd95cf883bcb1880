// What nvcc has read of the C++ library before a file is there without an include: `std::exchange`.
// launch: grid=any block=64
#include <cstddef>
struct Owner {
  int *held;
  Owner(Owner &&other) : held(std::exchange(other.held, nullptr)) {}
};
__global__ void k(int *p) {
  p[blockIdx.x * 64 + threadIdx.x / 2] = threadIdx.x; // ~ HD0101
}
