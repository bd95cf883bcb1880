// A fence may name its scope before its order: it is a fence, and no barrier.
// launch: grid=2 block=64
__global__ void k(int *p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  p[i] = i;
  asm volatile("fence.sys.sc;" ::: "memory");
  asm volatile("fence.gpu.acq_rel;" ::: "memory");
  asm volatile("fence.cta.acq_rel;" ::: "memory");
  p[i] += 1;
}
