"""The supervisor of an engine on Linux: starts it, and ends whatever it started when it ends, when asked to, or when we die.

    python -I -S engine_supervisor.py OWNER PIPE PROGRAM [WORD...]

As the reaper of its descendants it inherits what the program leaves behind, also what went into a session of its own. It
writes the program's process number to PIPE, passes SIGTERM on, ends everything on SIGUSR1 (which the system also sends
when the thread of OWNER that started it ends), and ends as the program ended. It waits for signals one at a time, with
no handlers, so that none can come at a bad moment. It runs on its own and imports nothing of Daedalus.
"""

import contextlib
import ctypes
import os
import resource
import signal
import sys
import time

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
HEARD = {signal.SIGUSR1, signal.SIGTERM, signal.SIGCHLD}
PATIENCE = 3.0  # seconds for what was killed to go


def prctl(option: int, value: int) -> None:
    """Tells the system something about this process."""
    ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def main(owner: int, pipe: int, words: list[str]) -> int:
    """Keeps the program that `words` name until it ends; its exit code, negative for a signal."""
    signal.pthread_sigmask(signal.SIG_BLOCK, HEARD)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    prctl(PR_SET_PDEATHSIG, signal.SIGUSR1)
    if os.getppid() != owner:  # it has ended before it could be told of
        return 1
    supervisor, program = os.getpid(), os.fork()
    if not program:
        become(words, supervisor, pipe)
    os.write(pipe, str(program).encode())
    for descriptor in (0, 1, 2, pipe):  # only the program holds its pipes, so their ends tell of it alone
        os.close(descriptor)
    ended: dict[int, int] = {}
    with contextlib.suppress(ChildProcessError):  # nobody is left
        wait_for(program, ended)
        end_all(program, ended)
    return ended.get(program, 1)


def become(words: list[str], supervisor: int, pipe: int) -> None:
    """In the new process: becomes the program, which dies with its supervisor."""
    os.close(pipe)
    os.setsid()
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    for ignored in (signal.SIGPIPE, signal.SIGXFSZ):  # by Python alone
        signal.signal(ignored, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, HEARD)
    if os.getppid() == supervisor:
        os.execv(words[0], words)
    os._exit(1)


def wait_for(program: int, ended: dict[int, int]) -> None:
    """Returns when the program has ended or all shall end."""
    while program not in ended:
        heard = signal.sigwait(HEARD)
        if heard == signal.SIGUSR1:
            return
        if heard == signal.SIGTERM:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(program, signal.SIGTERM)
        bury(program, ended)


def bury(program: int, ended: dict[int, int]) -> None:
    """Waits for those of our children that have ended, and notes how the program did; ChildProcessError when there are no children."""
    while True:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if not pid:
            return
        if pid == program:
            ended[pid] = os.waitstatus_to_exitcode(status)


def end_all(program: int, ended: dict[int, int]) -> None:
    """Kills all descendants, again until none is left: they may start others meanwhile."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        for pid in descendants():
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        bury(program, ended)
        time.sleep(0.002)


def descendants() -> list[int]:
    """Our children, their children, and so on."""
    parents = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError), open(f"/proc/{name}/stat", "rb") as stat:
            parents[int(name)] = int(stat.read().rpartition(b")")[2].split()[1])
    found = [os.getpid()]
    for pid in found:  # grows while it is read
        found += [child for child, parent in parents.items() if parent == pid]
    return found[1:]


def end_as(code: int) -> None:
    """Ends as the program did: with its exit code, or by the signal that ended it."""
    if code >= 0:
        os._exit(code)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with contextlib.suppress(OSError):  # SIGKILL cannot be set
        signal.signal(-code, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [-code])
    os.kill(os.getpid(), -code)


if __name__ == "__main__":
    end_as(main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]))
