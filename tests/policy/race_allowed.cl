// A race in OpenCL, allowed.
__kernel void k(__global int *found) {
  found[0] = get_local_id(0);  // heddle: allow(HD0101) any winner will do
}
