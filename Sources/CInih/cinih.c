#include "cinih.h"
typedef int localauth_cinih_has_no_code;
