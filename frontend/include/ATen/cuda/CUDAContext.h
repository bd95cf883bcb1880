// Part of PyTorch.
#pragma once
#include "../../heddle/torch.h"
#include <cublas_v2.h>
#include <cusparse.h>
