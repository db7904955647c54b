"""What every Java file sees: the types of `java.lang`."""

from __future__ import annotations

__all__ = ["ALWAYS_SEEN"]

ALWAYS_SEEN = frozenset(
    b"Object String Class Integer Long Short Byte Character Boolean Float Double Number Void Math StrictMath System Thread "
    b"Runnable Iterable Comparable CharSequence StringBuilder StringBuffer Throwable Exception RuntimeException Error "
    b"IllegalArgumentException IllegalStateException NullPointerException IndexOutOfBoundsException ClassCastException "
    b"ArrayIndexOutOfBoundsException UnsupportedOperationException NumberFormatException ArithmeticException "
    b"InterruptedException ClassNotFoundException NoSuchFieldException NoSuchMethodException ReflectiveOperationException "
    b"SecurityException CloneNotSupportedException AssertionError OutOfMemoryError StackOverflowError LinkageError "
    b"Override Deprecated SuppressWarnings FunctionalInterface SafeVarargs AutoCloseable Cloneable Appendable Enum Record "
    b"Process ProcessBuilder Runtime ClassLoader Package Module ThreadLocal ThreadGroup StackTraceElement".split()
)
