// A program-scope variable of OpenCL is 5 in the first launch, which races.
// launch: grid=1 block=64
global int mode = 5;
kernel void k(global int *a) {
  if (mode == 5) a[0] = get_local_id(0); // ~ HD0101
}
