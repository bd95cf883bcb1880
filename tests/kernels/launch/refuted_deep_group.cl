// A work-group may be 128 deep, as OpenCL leaves the dimensions to the device.
// launch: grid=1 block=any
kernel void k(global int *out) {
  if (get_local_id(2) >= 64)
    out[get_global_id(0)] = get_local_id(2);  // ~ HD0101
}
