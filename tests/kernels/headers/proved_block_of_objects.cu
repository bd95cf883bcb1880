// Lent memory runs no constructor of what is reduced in it.
// launch: grid=any block=64
#include <cub/cub.cuh>
struct Sum {
  float sum, most;
  __device__ Sum() : sum(0), most(0) {}
  __device__ Sum(float s, float m) : sum(s), most(m) {}
};
struct Both {
  __device__ Sum operator()(const Sum &a, const Sum &b) const {
    return Sum(a.sum + b.sum, a.most < b.most ? b.most : a.most);
  }
};
__global__ void k(const float *in, float *out) {
  typedef cub::BlockReduce<Sum, 64> Reduce;
  __shared__ Reduce::TempStorage lent;
  Sum all = Reduce(lent).Reduce(Sum(in[threadIdx.x], in[threadIdx.x]), Both());
  if (threadIdx.x == 0)
    out[blockIdx.x] = all.sum + all.most;
}
