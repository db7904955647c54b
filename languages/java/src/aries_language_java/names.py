"""Types of `java.lang` that nobody names anew.

A type of the same package comes before those, so that names such as `Module` and `Record` have to be looked for.
"""

from __future__ import annotations

__all__ = ["ALWAYS_SEEN"]

ALWAYS_SEEN = frozenset(
    b"Object String Class Integer Long Short Byte Boolean Float Double Void Math "
    b"System Runnable Iterable Comparable CharSequence StringBuilder StringBuffer Throwable Exception "
    b"RuntimeException IllegalArgumentException IllegalStateException NullPointerException "
    b"IndexOutOfBoundsException ClassCastException ArrayIndexOutOfBoundsException UnsupportedOperationException "
    b"NumberFormatException ArithmeticException InterruptedException ClassNotFoundException NoSuchFieldException "
    b"NoSuchMethodException ReflectiveOperationException SecurityException CloneNotSupportedException "
    b"AssertionError OutOfMemoryError StackOverflowError LinkageError Override Deprecated SuppressWarnings "
    b"FunctionalInterface SafeVarargs AutoCloseable Cloneable".split()
)
