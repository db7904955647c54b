"""Names that engines, browsers and runners of tests give to every file, and that thus stand for no file."""

from __future__ import annotations

__all__ = ["PLATFORM"]

PLATFORM = frozenset(
    b"""
    AbortController AggregateError Array ArrayBuffer BigInt Blob Boolean Buffer CustomEvent DOMException DOMParser
    Date Error Event EventTarget File FileReader FormData Function Headers Image Infinity IntersectionObserver
    Intl JSON Map Math MutationObserver NaN Node Notification Number Object Promise Proxy RangeError
    ReferenceError Reflect RegExp Request ResizeObserver Response Set String Symbol SyntaxError TextDecoder
    TextEncoder TypeError URL URLSearchParams Uint8Array WeakMap WeakRef WeakSet WebSocket Worker XMLHttpRequest
    addEventListener afterAll afterEach alert arguments assert atob beforeAll beforeEach btoa cancelAnimationFrame
    clearInterval clearTimeout confirm console context crypto customElements decodeURI decodeURIComponent define
    describe document encodeURI encodeURIComponent escape eval exports expect fetch getComputedStyle global
    globalThis history isFinite isNaN it jest localStorage location matchMedia module navigator null parseFloat
    parseInt performance process prompt queueMicrotask removeEventListener requestAnimationFrame
    requestIdleCallback require screen self sessionStorage setImmediate setInterval setTimeout structuredClone
    suite test undefined unescape vi window defineEmits defineExpose defineModel defineOptions defineProps
    defineSlots withDefaults
    """.split()
)
