// A place that a bit field of the id gives is one for several work items.
// launch: grid=any block=64
#pragma OPENCL EXTENSION cl_amd_media_ops : enable
#pragma OPENCL EXTENSION cl_amd_media_ops2 : enable
__kernel void k(__global uint *p) {
  uint i = get_global_id(0);
  p[amd_bfe(i, 1u, 31u)] = i; // ~ HD0101
}
