"""What is had without OpenSSL is what hashlib has."""

from __future__ import annotations

import hashlib
import subprocess
import sys

from hypothesis import given
from hypothesis import strategies as st

from aries_kernel.digests import blake2b, sha256


@given(st.binary(max_size=300), st.integers(1, 64))
def test_the_digests_are_those_of_hashlib(data: bytes, size: int) -> None:
    assert sha256(data).hexdigest() == hashlib.sha256(data).hexdigest()
    assert blake2b(data, digest_size=size).digest() == hashlib.blake2b(data, digest_size=size).digest()


def test_openssl_is_not_loaded_for_them() -> None:
    asked = "import sys, aries_kernel.digests; print('_hashlib' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True).stdout
    assert found.strip() == str(sys.implementation.name != "cpython")
