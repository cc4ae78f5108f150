"""The command `related`, also `python -m whatsrelated`.

An interrupt while the command is still being imported ends it without a traceback.
"""

import signal

if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)

from whatsrelated.cli import main

if __name__ == "__main__":
    main()
