// OpenCL vectors of four are stored at a distance of two elements.
// launch: grid=1 block=64
__kernel void k(__global const int4 *in, __global int *out) {
  size_t g = get_global_id(0);
  vstore4(in[g], 0, out + 2 * g);   // ~ HD0101
}
