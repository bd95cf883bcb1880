// OpenCL vectors of four are loaded with vload4 and stored with vstore4 at a distance of four.
// launch: grid=any block=64
__kernel void k(__global const int *in, __global int *out) {
  size_t g = get_global_id(0);
  int4 v = vload4(g, in);
  vstore4(v * 2, g, out);
}
