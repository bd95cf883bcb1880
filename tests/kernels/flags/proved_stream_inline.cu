// A counter tells how many items there are, with release and acquire in inline PTX.
// launch: grid=2 block=1 passes=races
__device__ int acq(int *p){int v;asm volatile("ld.acquire.gpu.global.s32 %0, [%1];":"=r"(v):"l"(p):"memory");return v;}
__device__ void rel(int *p,int v){asm volatile("st.release.gpu.global.s32 [%0], %1;"::"l"(p),"r"(v):"memory");}
__global__ void k(int *data, int *count, int *out, int n) {
  if (blockIdx.x == 0) {
    for (int i = 0; i < n; i++) { data[i] = i; rel(count, i + 1); }
  } else {
    for (int i = 0; i < n; i++) { while (acq(count) < i + 1) {} out[i] = data[i]; }
  }
}
