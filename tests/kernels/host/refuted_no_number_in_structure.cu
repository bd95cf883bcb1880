// A member of a structure that the host passes is a float that is no number.
// launch: as-launched
struct S {
  float f;
  int n;
};
__global__ void k(int *out, S s) {
  if (__float_as_int(s.f) < 0)
    out[0] = threadIdx.x; // ~ HD0101
}
void go(int *out) {
  float zero = 0;
  S s = {zero / zero, 3};
  k<<<1, 64>>>(out, s);
}
