// Part of PyTorch.
#pragma once
#include "../../../heddle/torch_atomics.h"
