// The utilities of NVIDIA's samples before CUDA 5, and arithmetic of short vectors.
#include <cutil_inline.h>
#include <cutil_math.h>
#include <helper_math.h>
#include <shrQATest.h>
#include <shrUtils.h>

__global__ void step(float4 *position, float3 *velocity, uint2 size, float dt) {
  int i = clamp((int)(blockIdx.x * blockDim.x + threadIdx.x), 0, 1023);
  uint2 at = min(size, make_uint2(7)) + make_uint2(i, 1);
  float3 v = velocity[i], p = make_float3(position[i]);
  v += cross(v, normalize(p)) * dt - 0.5f * reflect(v, make_float3(0, 1, 0));
  p = clamp(p + v * dt, make_float3(-1.0f), make_float3(1.0f)) / length(p);
  position[i] = make_float4(lerp(p, -v, smoothstep(0.0f, 1.0f, dt)), dot(at, at));
  velocity[i] = fminf(fabs(floorf(v)), fracf(p)) + fmodf(p, v);
}

int main(int argc, char **argv) {
  unsigned int timer = 0;
  CUT_DEVICE_INIT(argc, argv);
  CUT_SAFE_CALL(cutCreateTimer(&timer));
  cutilCheckError(cutStartTimer(timer));
  float4 *position;
  float3 *velocity;
  CUDA_SAFE_CALL(cudaMalloc((void **)&position, 1024 * sizeof(float4)));
  cutilSafeCall(cudaMalloc((void **)&velocity, 1024 * sizeof(float3)));
  shrQAStart(argc, argv);
  int n = 8;
  if (cutCheckCmdLineFlag(argc, (const char **)argv, "n"))
    cutGetCmdLineArgumenti(argc, (const char **)argv, "n", &n);
  double sizes[] = {n, n};
  step<<<n, 128>>>(position, velocity, make_uint2(n, n), (float)sizes[0]);
  CUT_CHECK_ERROR("step");
  cutilSafeCall(cutilDeviceSynchronize());
  shrLog("%f ms\n", cutGetTimerValue(timer));
  shrQAFinishExit(argc, (const char **)argv, QA_PASSED);
  cutilExit(argc, argv);
}
