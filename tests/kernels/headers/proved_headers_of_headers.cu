// Headers of libraries bring those of the C++ library that programs then use.
// launch: grid=any block=any
#include <opencv2/opencv.hpp>
struct Planner {
  std::function<float(int)> cost;
  std::map<int, float> known;
};
#include <torch/extension.h>
void show(float v) { std::cout << std::setprecision(3) << v; }

__global__ void k(int *p) { p[threadIdx.x + blockIdx.x * blockDim.x] = 1; }
