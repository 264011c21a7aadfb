"""Real programs under the supervisor of Sources/CTrace: their push connections end at a local server."""
from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from select import select

sys.path.insert(0, str(Path(__file__).parent))
from exec_case import (  # noqa: E402
    ADDRESS, BUNDLE, CLIENTS, FILES, HOST, HOSTS, HOSTS_FILES, PATIENCE, SOURCES, TRACED_CLIENTS, TRACED_HOSTS_FILES,
    ExecCase, make_bundles, make_files)

# Statuses, what the harness says on standard error, and commands that end so.
ENDS = [
    (7, "", "sh", "-c", "exit 7"), (139, "signal 11\n", "sh", "-c", "kill -SEGV $$"), (0, "", "true"),
    (4, "", "./script", "4"), (5, "", "script", "5"), (125, "stage 3: ENOENT\n", "no-such-command"),
    (125, "stage 3: ENOENT\n", "/no/one"), (125, "stage 3: EACCES\n", "hosts"), (125, "stage 3: EACCES\n", "./hosts"),
    (125, "stage 4: ECHILD\n", "sh", "-c", "kill -KILL $PPID; while :; do :; done"),
]
OTHER_USER = {"user": 65534, "group": 65534, "extra_groups": []}


def setUpModule() -> None:
    global work, harness, static
    work = make_files()
    harness, static = work / "harness", work / "static"
    build = ["cc", "-std=c11", "-O1", "-Wall", "-Wextra", "-Wconversion", "-Werror", f"-I{SOURCES / 'CTrace/include'}",
             "-pthread", Path(__file__).with_name("trace_harness.c"), *SOURCES.glob("CTrace/*.c"), "-o"]
    subprocess.run([*build, harness], check=True)
    subprocess.run([*build, static, "-static"], check=True, stderr=subprocess.DEVNULL)
    (work / "shown").write_text(HOSTS)
    (work / "hosts").write_text("other\n")


class Traced(ExecCase):
    options: tuple[object, ...] = ()

    def arguments(self, *command: object) -> list[object]:
        return [harness, "--hosts", work / "shown", "--authority", work / "ca.pem", "--address", ADDRESS,
                "--port", self.port, "--bundle", BUNDLE, "--bundle", work / "gone.pem",
                "--default-bundle", work / "cert.pem", *self.options, "--", *command]


class Connections(Traced):
    def test_python(self) -> None:
        for code, expected in (CLIENTS | TRACED_CLIENTS).values():
            self.assert_says(self.python(code), expected + "\n")

    def test_curl_trusts_the_gateway(self) -> None:
        self.gateway.use_tls(work)
        urls = [f"https://{HOST}:{port}" for port in (443, 2197)]
        self.assert_says(self.start("curl", "-sS", "--noproxy", "*", *urls), "gateway\n" * 2)

    def test_dynamic_and_static_programs(self) -> None:
        for user in [{}, OTHER_USER] if os.geteuid() == 0 else [{}]:
            self.assert_says(self.start(static, "client", HOST, "443", **user), f"{ADDRESS}\ngateway\n")
            self.assertEqual(self.start("getent", "ahostsv4", HOST, **user).communicate()[0].split()[0], ADDRESS)

    def test_a_full_queue_holds_up_only_the_connection(self) -> None:
        with socket.create_server(("127.0.0.1", 0), backlog=0) as full:
            self.port = self.enterContext(socket.create_connection(full.getsockname())).getpeername()[1]
            process = self.python("""
s = socket.socket()
t = threading.Thread(target=s.connect, args=[(ADDRESS, 443)])
t.start(), t.join(0.3), print(ADDRESS in read("/etc/hosts"), t.is_alive(), flush=True), t.join()
print(s.getpeername()[0])""")
            self.assertEqual(process.stdout.readline(), "True True\n")
            full.accept()[0].close()
            self.assert_says(process, "127.0.0.1\n")


class WithoutSockets(Connections):
    options = ("--forbid", "pidfd_getfd")  # As in some containers.


class Files(Traced):
    def test_hosts(self) -> None:
        for code in HOSTS_FILES + TRACED_HOSTS_FILES:
            self.assert_says(self.python(f"print(({code}).read(), end='')"), HOSTS)
        self.assert_says(self.start("cat", "hosts", cwd=work), "other\n")

    def test_descriptors(self) -> None:
        for code, expected in FILES.values():
            self.assert_says(self.python(code), expected + "\n")
        self.assert_says(self.start("ls", "/proc/self/fd"), "0\n1\n2\n3\n")
        self.assert_says(self.python("""
ours = lambda: len(os.listdir(f"/proc/{read(f'/proc/{os.getppid()}/stat').split()[3]}/fd"))
before = ours()
for _ in range(200): read("/etc/hosts"), read(BUNDLE), socket.socket().connect_ex((ADDRESS, 443))
print(ours() - before)"""), "0\n")

    def test_bundles(self) -> None:
        alone = {"cert.pem": f"{(work / 'ca.pem').read_text()}\n"}
        for path, content in (make_bundles(work) | alone).items():
            self.assert_says(self.start("cat", path, cwd=work), content)
        self.assert_says(self.start("sh", "-c", "exec 2>&-; cat gone.pem", cwd=work), "", 1)


class Ends(Traced):
    def test_statuses(self) -> None:
        (work / "true").touch()
        (work / "script").write_text("exit $1\n")
        (work / "script").chmod(0o755)
        for status, errors, *command in ENDS:
            process = self.start(*command, cwd=work, env={"PATH": f"/nowhere:{work}:/usr/bin:/bin"})
            self.assert_says(process, "", status, errors)

    def test_signals_reach_the_command(self) -> None:
        for self.options in self.options, (*self.options, "--thread", "yes"):
            process = self.start("sh", "-c", "trap 'exit 3' TERM; trap '' HUP; echo; while :; do sleep 0.01; done")
            self.assertEqual(process.stdout.readline(), "\n")
            process.send_signal(signal.SIGHUP)
            process.send_signal(signal.SIGTERM)
            self.assert_says(process, "", status=3)
            process = self.start("grep", "-cE", "Sig(Blk|Ign):.0{16}", "/proc/self/status")
            self.assert_says(process, "2\n")

    def test_early_signals_find_none_of_the_callers_handlers(self) -> None:
        self.options = (*self.options, "--early", "yes")
        for _ in range(20):
            self.assert_says(self.start("sleep", "60"), "", 143, "signal 15\n")

    def test_it_stops_continues_and_ends_with_the_command(self) -> None:
        for number, status, errors in (signal.SIGCONT, 3, ""), (signal.SIGKILL, 137, "signal 9\n"):
            process = self.start("sh", "-c", "echo $$; kill -STOP $$; exit 3")
            command = int(process.stdout.readline())
            os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WNOWAIT)
            os.kill(process.pid if number == signal.SIGCONT else command, number)
            self.assert_says(process, "", status, errors)

    def test_a_terminal_interrupts_once(self) -> None:
        terminal, end = os.openpty()
        screen = self.enterContext(open(terminal, "rb"))
        process = self.python("""
signal.pthread_sigmask(signal.SIG_BLOCK, {2})
print("ready")
while not signal.sigtimedwait({2}, 0): pass
print("interrupted", signal.sigtimedwait({2}, 0.3))""",
                              pass_fds=[end], preexec_fn=lambda: os.login_tty(end))
        self.assertEqual((screen.readline(), os.write(terminal, b"\x03")), (b"ready\r\n", 1))
        self.assertEqual((process.wait(PATIENCE), screen.readline()), (0, b"^Cinterrupted None\r\n"))
        os.close(end)

    def test_nothing_is_left(self) -> None:
        begun = Path(self.enterContext(tempfile.TemporaryDirectory()), "begun")
        os.mkfifo(begun)
        code = "trap '' TERM; setsid sh -c 'sleep 600 & sleep 600 & echo $! $$; echo >BEGUN; wait' & {}".replace("BEGUN", str(begun))
        process = self.start("sh", "-c", code.format(f"read _ <{begun}"))
        left = process.stdout.readline().split()
        self.assertEqual((process.wait(PATIENCE), len(left)), (0, 2))
        self.assertFalse([pid for pid in left if Path("/proc", pid).exists()])
        killed = self.start("sh", "-c", code.format("echo $$; sleep 600"))
        left = [os.pidfd_open(int(pid)) for _ in range(2) for pid in killed.stdout.readline().split()]
        killed.terminate()
        self.assertFalse(select(left, [], [], 0.3)[0])
        killed.kill()
        self.assertEqual([select([pid], [], [], PATIENCE)[0] for pid in left], [[pid] for pid in left])


class Untraced(Ends):
    options = ("--untraced", "yes")

    def arguments(self, *command: object) -> list[object]:
        return [harness, *self.options, "--", *command]

    def test_no_filter(self) -> None:
        process = self.start("grep", "-cE", "(NoNewPrivs|Seccomp):.0", "/proc/self/status")
        self.assert_says(process, "2\n")
        self.options = (*self.options, "--forbid", "seccomp")
        self.assert_says(self.start("cat", "/etc/hosts"), Path("/etc/hosts").read_text())

    @unittest.skipIf(os.geteuid() != 0, "only root can make setuid programs for another user")
    def test_setuid_programs_keep_their_rights_and_end_with_the_parent(self) -> None:
        for name in "id", "cat":
            Path(shutil.copy(shutil.which(name), work / name)).chmod(0o4755)
        self.assert_says(self.start(work / "id", "-u", **OTHER_USER), "0\n")
        process = self.start("sh", "-c", f"echo $$; exec {work / 'cat'}", stdin=subprocess.PIPE, **OTHER_USER)
        command = os.pidfd_open(int(process.stdout.readline()))
        print("running", file=process.stdin, flush=True)
        self.assertEqual(process.stdout.readline(), "running\n")
        process.kill()
        self.assertTrue(select([command], [], [], PATIENCE)[0])


class Availability(Traced):
    def test_a_command_can_be_traced(self) -> None:
        for answer, *options in ("yes",), ("EPERM", "--forbid", "seccomp"), ("EPERM", "--forbid", "process_vm_readv"):
            said = subprocess.run([harness, *options, "--available", "4"], capture_output=True, timeout=PATIENCE)
            self.assertEqual((said.stdout.decode(), said.stderr, said.returncode), (f"{answer}\n", b"", 0))
        self.assert_says(self.start(harness, "--available", "4"), "EBUSY\n")

    def test_without_seccomp(self) -> None:
        self.assert_says(self.start(harness, "--", "true"), "", 125, "stage 2: EBUSY\n")
        self.options = ("--forbid", "seccomp")
        self.assert_says(self.start("true"), "", 125, "stage 2: EPERM\n")
