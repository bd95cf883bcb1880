// A `constant` of OpenCL is 5 in each launch.
// launch: grid=1 block=64
constant int mode = 5;
kernel void k(global int *a) {
  if (mode == 7) a[0] = get_local_id(0);
}
