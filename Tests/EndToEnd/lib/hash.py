"""hash.py METHOD PASSCODE: the crypt(5) hash, made by libxcrypt at the method's default cost."""
import ctypes
import os
import sys

crypt = ctypes.CDLL("libcrypt.so.1")
crypt.crypt_gensalt.restype = crypt.crypt.restype = ctypes.c_char_p
crypt.crypt_gensalt.argtypes = [ctypes.c_char_p, ctypes.c_ulong, ctypes.c_char_p, ctypes.c_int]
prefix = {"yescrypt": b"$y$", "sha512": b"$6$"}[sys.argv[1]]
salt = crypt.crypt_gensalt(prefix, 0, os.urandom(32), 32)
print(crypt.crypt(sys.argv[2].encode(), salt).decode())
