// Part of PyTorch.
#pragma once
#include "../../heddle/torch.h"
