// Functions of AMD's media extension compute of their arguments and do nothing else.
// launch: grid=any block=any
#pragma OPENCL EXTENSION cl_amd_media_ops : enable
#pragma OPENCL EXTENSION cl_amd_media_ops2 : enable
__kernel void k(__global uint2 *p, __global uint *q) {
  uint i = get_global_id(0);
  uint2 v = p[i];
  v ^= amd_bitalign(v, v.yx, (uint2)(7));
  p[i] = amd_bytealign(v, v.yx, (uint2)(3));
  q[i] = amd_sad(v.x, v.y, amd_bfe(v.x, 4u, 8u)) + amd_max3(v.x, v.y, 3u);
}
