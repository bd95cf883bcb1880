// What an asynchronous copy brings is read after waiting for all groups.
// launch: grid=1 block=64
gpu.module @kernels {
  gpu.func @k(%in: memref<256xf32>, %out: memref<64xf32>) workgroup(%s: memref<256xf32, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %c4 = arith.constant 4 : index
    %at = arith.muli %t, %c4 : index
    %copy = nvgpu.device_async_copy %in[%at], %s[%at], 4 : memref<256xf32> to memref<256xf32, #gpu.address_space<workgroup>>
    %group = nvgpu.device_async_create_group %copy
    nvgpu.device_async_wait %group {numGroups = 0 : i32}
    %v = memref.load %s[%at] : memref<256xf32, #gpu.address_space<workgroup>>
    memref.store %v, %out[%t] : memref<64xf32>
    gpu.return
  }
}
