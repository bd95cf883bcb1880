// A type that OpenCL C lets be left out, as C did before C99, is `int`.
// launch: grid=any block=64
__kernel void k(__global * p) {
  int i = get_global_id(0);
  p[i / 2] = i; // ~ HD0101
}
