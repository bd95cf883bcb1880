// CUB for the whole device, called with lambdas, and loads and stores of a block.
#include <cub/cub.cuh>
#include <cub/util_debug.cuh>

struct Twice {
  __host__ __device__ int operator()(int a) const { return 2 * a; }
};
__global__ void k(int *p, int *q, int n) {
  typedef cub::BlockLoad<int, 128, 4> Load;
  typedef cub::BlockStore<int, 128, 4, cub::BLOCK_STORE_TRANSPOSE> Store;
  __shared__ typename Load::TempStorage a;
  __shared__ typename Store::TempStorage b;
  int items[4];
  Load(a).Load(p + blockIdx.x * 512, items, n, 0);
  Store(b).Store(q + blockIdx.x * 512, items);
}
__global__ void scan(int *p) {
  typedef cub::BlockScan<int, 128> Scan;
  __shared__ typename Scan::TempStorage lent;
  int items[2] = {p[0], p[1]}, all;
  Scan(lent).InclusiveSum(items, items);
  Scan(lent).ExclusiveSum(items, items, all);
  p[0] = items[0] + items[1] + all;
}
__global__ void bits(float *p, unsigned *q) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  q[i] = cub::Traits<float>::TwiddleIn(__float_as_uint(p[i]));
  p[i] = nan("");
}
int main() {
  int *p = nullptr, *q = nullptr;
  void *room = nullptr;
  size_t bytes = 0;
  k<<<4, 128>>>(p, q, 512);
  bits<<<4, 128>>>(nullptr, nullptr);
  CubDebugExit(cub::DeviceReduce::Reduce(room, bytes, p, q, 10, [] __device__(int a, int b) { return a + b; }, 0));
  cub::TransformInputIterator<int, Twice, int *> twice(p, Twice());
  cub::DeviceReduce::Sum(room, bytes, twice, q, 10);
  cub::CountingInputIterator<int> from(3);
  cub::DeviceScan::ExclusiveSum(room, bytes, from, q, 10);
}
