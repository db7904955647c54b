"""What holds for the tests of every member."""

from __future__ import annotations

import os
import signal

from hypothesis import settings

# No test leaves a process behind that embeds its vault.
os.environ["ORI_NO_BACKGROUND"] = "1"

# No test times anything: how long an example takes says how busy the machine is.
settings.register_profile("aries", deadline=None)
settings.load_profile("aries")

# A run that a script began in the background hands down that interrupts are ignored; what is tested must hear them.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
# And one below `nohup`, that the end of the terminal is.
if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
