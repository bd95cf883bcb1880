// Marks for profilers, as declarations.
#pragma once
#include "heddle/words.h"

#define NVTX_VERSION 3
typedef unsigned long long nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st *nvtxDomainHandle_t;
enum nvtxColorType_t { NVTX_COLOR_UNKNOWN, NVTX_COLOR_ARGB };
enum nvtxMessageType_t { NVTX_MESSAGE_UNKNOWN, NVTX_MESSAGE_TYPE_ASCII };
union nvtxMessageValue_t {
  const char *ascii;
};
struct nvtxEventAttributes_t {
  unsigned short version, size;
  unsigned int category;
  int colorType;
  unsigned int color;
  int payloadType, reserved0;
  unsigned long long payload;
  int messageType;
  nvtxMessageValue_t message;
};
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((unsigned short)sizeof(nvtxEventAttributes_t))
extern "C" {
void nvtxMarkA(const char *);
int nvtxRangePushA(const char *);
int nvtxRangePushEx(const nvtxEventAttributes_t *);
int nvtxRangePop();
nvtxRangeId_t nvtxRangeStartA(const char *);
void nvtxRangeEnd(nvtxRangeId_t);
nvtxDomainHandle_t nvtxDomainCreateA(const char *);
void nvtxNameOsThreadA(unsigned int, const char *);
void nvtxNameCudaStreamA(struct CUstream_st *, const char *);
void nvtxNameCudaDeviceA(int, const char *);
}
#define nvtxMark nvtxMarkA
#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxNameCudaStream nvtxNameCudaStreamA
