#include "csystemd.h"
typedef int localauth_csystemd_has_no_code;
