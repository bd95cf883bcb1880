// Each lane stores the row whose address it gives to ldmatrix; other lanes read it, and nothing orders them.
// launch: grid=1 block=32
__global__ void k(int *a) {
  __shared__ __align__(16) int4 rows[32];
  int i = threadIdx.x;
  rows[i] = make_int4(i, i, i, i);  // ~ HD0002
  unsigned at = (unsigned)__cvta_generic_to_shared(&rows[i]);
  unsigned x, y, z, w;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(x), "=r"(y), "=r"(z), "=r"(w)
               : "r"(at)
               : "memory");
  a[i] = x + y + z + w;
}
