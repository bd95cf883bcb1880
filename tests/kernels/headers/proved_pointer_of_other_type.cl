// A pointer is set to one of another type, which other compilers of OpenCL C warn about.
// launch: grid=any block=64
__kernel void k(__global uint *p) {
  __global char *bytes = p;
  bytes[get_global_id(0)] = 1;
}
