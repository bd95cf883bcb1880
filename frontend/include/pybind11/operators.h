// Part of pybind11, as extensions of PyTorch use it.
#pragma once
#include "../heddle/torch.h"
