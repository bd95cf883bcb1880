// Domains, registered texts and payloads of marks for profilers, as classes around them are written.
// launch: grid=any block=any
#include <nvtx3/nvToolsExt.h>

struct Domain {
  nvtxDomainHandle_t held;
  explicit Domain(const wchar_t *name) : held(nvtxDomainCreateW(name)) {}
  ~Domain() { nvtxDomainDestroy(held); }
};
struct Payload {
  using Value = decltype(nvtxEventAttributes_t::payload);
  nvtxPayloadType_t type = NVTX_PAYLOAD_TYPE_INT64;
  Value value{};
};
struct Range {
  nvtxEventAttributes_t attributes{NVTX_VERSION, sizeof(nvtxEventAttributes_t), 0, NVTX_COLOR_UNKNOWN, 0, NVTX_PAYLOAD_UNKNOWN,
                                   0, 0, NVTX_MESSAGE_UNKNOWN, {}};
  explicit Range(const Domain &in) {
    attributes.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
    attributes.message.registered = nvtxDomainRegisterStringA(in.held, "range");
    nvtxDomainRangePushEx(in.held, &attributes);
  }
};
__global__ void k(int *p) { p[threadIdx.x + blockIdx.x * blockDim.x] = 1; }
