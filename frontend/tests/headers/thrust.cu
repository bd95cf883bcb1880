// Containers and algorithms of Thrust, in host code, and what of it kernels use.
#include <thrust/complex.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/sort.h>
#include <thrust/system/cuda/execution_policy.h>

#include <cstdio>

struct Square {
  __host__ __device__ float operator()(float a) const { return a * a; }
};
struct Positive {
  __host__ __device__ bool operator()(const thrust::tuple<int, float> &t) const { return thrust::get<0>(t) > 0; }
};
__global__ void k(float *p, thrust::complex<float> *z, thrust::device_ptr<int> d, thrust::counting_iterator<int> c) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  p[i] = thrust::max(p[i], 2.f);
  z[i] = thrust::exp(z[i]) * 2.0f;
  d[i] = c[i];
}
__global__ void in_thread(int *p) { thrust::sort(thrust::seq, p, p + 10); }

int main() {
  thrust::device_vector<float> a(1024), b = a;
  thrust::host_vector<float> h = a;
  std::vector<float> v(10);
  thrust::device_vector<int> keys(v.begin(), v.end());
  thrust::sort(a.begin(), a.end());
  thrust::sort(thrust::device, a.begin(), a.end(), thrust::greater<float>());
  float s = thrust::reduce(a.begin(), a.end());
  s += thrust::reduce(thrust::cuda::par.on(0), a.begin(), a.end(), 0.f, thrust::plus<float>());
  s += thrust::transform_reduce(a.begin(), a.end(), Square(), 0.f, thrust::plus<>());
  auto zip = thrust::make_zip_iterator(thrust::make_tuple(keys.begin(), a.begin()));
  thrust::remove_if(zip, zip + 10, Positive());
  thrust::copy(a.begin(), a.end(), h.begin());
  h[0] = a[0];
  a[1] = 3.f;
  auto ends = thrust::reduce_by_key(keys.begin(), keys.end(), thrust::make_constant_iterator(1), keys.begin(), a.begin());
  thrust::device_ptr<float> q = thrust::device_pointer_cast(thrust::raw_pointer_cast(a.data()));
  thrust::fill(q, q + 10, 1.f);
  thrust::sequence(keys.begin(), keys.end());
  thrust::exclusive_scan(q, q + 10, q);
  float most = *thrust::max_element(q, q + 10);
  k<<<4, 256>>>(thrust::raw_pointer_cast(&a[0]), nullptr, thrust::device_ptr<int>(), 0);
  thrust::transform(thrust::make_counting_iterator(0), thrust::make_counting_iterator(10), a.begin(), Square());
  thrust::for_each(zip, zip + 3, [] __host__ __device__(thrust::tuple<int, float>) {});
  for (auto it = h.begin(); it != h.end(); it++)
    s += *it;
  std::swap(a, b);
  a = v;
  h = b;
  printf("%f %ld\n", (float)a[0] + s + most, (long)(ends.first - keys.begin()));
}
