"""Headers of the languages' own libraries, which a file of the same name in a project does not stand for."""

from __future__ import annotations

__all__ = ["STANDARD_HEADERS"]

_C = (
    "assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg "
    "stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar wctype "
    "unistd fcntl pthread dirent dlfcn glob grp netdb poll pwd regex sched search semaphore spawn strings syslog "
    "termios utime windows winsock2"
)
_CPP = (
    "algorithm any array atomic bit bitset charconv chrono codecvt compare complex concepts condition_variable "
    "coroutine deque exception execution expected filesystem format forward_list fstream functional future "
    "initializer_list iomanip ios iosfwd iostream istream iterator latch limits list locale map memory "
    "memory_resource mutex new numbers numeric optional ostream queue random ranges ratio regex scoped_allocator "
    "semaphore set shared_mutex source_location span sstream stack stdexcept stop_token streambuf string "
    "string_view strstream syncstream system_error thread tuple type_traits typeindex typeinfo unordered_map "
    "unordered_set utility valarray variant vector version"
)

STANDARD_HEADERS = frozenset([f"{name}.h" for name in _C.split()] + _CPP.split() + [f"c{name}" for name in _C.split()])
