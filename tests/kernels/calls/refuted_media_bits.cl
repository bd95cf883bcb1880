// Shifts count modulo the bits of a word, and a field of no width is zero.
// launch: grid=1 block=256
#pragma OPENCL EXTENSION cl_amd_media_ops : enable
#pragma OPENCL EXTENSION cl_amd_media_ops2 : enable
__kernel void k(__global uint *p, __global uint *q, __global uint *r) {
  uint i = get_local_id(0);
  p[amd_bitalign(0u, i, 33u)] = i;  // ~ HD0101
  q[amd_bytealign(0u, i, 5u)] = i;  // ~ HD0101
  r[amd_bfe(i, 0u, 32u)] = i;       // ~ HD0101
}
