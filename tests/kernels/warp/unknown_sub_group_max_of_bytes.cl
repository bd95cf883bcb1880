// The greatest of 200 and 100 is 200, as bytes have no sign.
// launch: grid=1 block=64 warp-size=32
#pragma OPENCL EXTENSION cl_khr_subgroup_extended_types : enable
kernel void f(global int *out) {
  uchar most = sub_group_reduce_max((uchar)(get_sub_group_local_id() == 0 ? 200 : 100));
  if (most == 100) out[0] = get_local_id(0);  // ~ HD0002
}
