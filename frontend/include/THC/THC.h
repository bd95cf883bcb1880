// Part of PyTorch.
#pragma once
#include "../heddle/torch_thc.h"
