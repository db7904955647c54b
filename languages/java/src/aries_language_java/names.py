"""What every Java file sees: the types of `java.lang`."""

from __future__ import annotations

__all__ = ["ALWAYS_SEEN"]

ALWAYS_SEEN = frozenset(
    b"Object String Class Integer Long Short Byte Character Boolean Float Double Number Void Math StrictMath "
    b"System Thread Runnable Iterable Comparable CharSequence StringBuilder StringBuffer Throwable Exception "
    b"RuntimeException Error IllegalArgumentException IllegalStateException NullPointerException "
    b"IndexOutOfBoundsException ClassCastException ArrayIndexOutOfBoundsException UnsupportedOperationException "
    b"NumberFormatException ArithmeticException InterruptedException ClassNotFoundException NoSuchFieldException "
    b"NoSuchMethodException ReflectiveOperationException SecurityException CloneNotSupportedException "
    b"AssertionError OutOfMemoryError StackOverflowError LinkageError Override Deprecated SuppressWarnings "
    b"FunctionalInterface SafeVarargs AutoCloseable Cloneable Appendable Enum Record Process ProcessBuilder "
    b"Runtime ClassLoader Package Module ThreadLocal ThreadGroup StackTraceElement".split()
)
