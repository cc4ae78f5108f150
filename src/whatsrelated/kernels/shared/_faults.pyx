# cython: language_level=3, binding=False, auto_pickle=False
"""Exit with an error message, not a signal, if a mapped file is truncated while in use."""

cdef extern from *:
    """
    #include <signal.h>
    #ifdef SIGBUS
    #include <string.h>
    #include <unistd.h>
    static const char sentence[] =
        "related: a file of the graph was cut short, or could not be read, while it was in use; "
        "check the disk and build the graph again.\\n";
    static void leave(int number) {
        ssize_t written = write(2, sentence, sizeof sentence - 1);
        _exit(written < 0 ? 3 : 2);
    }
    static void leave_on_bus_error(void) {
        struct sigaction action;
        memset(&action, 0, sizeof action);
        action.sa_handler = leave;
        sigaction(SIGBUS, &action, 0);
    }
    #else
    static void leave_on_bus_error(void) {}
    #endif
    """
    void leave_on_bus_error()


def exit_on_bus_error():
    """From now on, exit with an error message if a mapped file has become too short."""
    leave_on_bus_error()
