"""`pushpit exec` where the system forbids a supervisor: a library is preloaded, or variables name a proxy."""
from __future__ import annotations

import ctypes
import os
import struct
import subprocess
import sys

from exec_run import PUSH, Case
from gateway import BINARY
from test_exec import TRUST, URLLIB

REASON = "pushpit: No supervisor can run here: it needs seccomp user notification, Linux 5.14 or later, and no other pushpit exec around it"
ONLY_PROXY = "so only programs that honour HTTPS_PROXY reach Pushpit: all others connect to Apple and Google themselves."
CALL = {"x86_64": 317, "aarch64": 277}


def forbid_seccomp() -> None:
    """The system call `seccomp` fails with EPERM in this process and its children, as in some containers."""
    code = [(0x20, 0, 0, 0), (0x15, 0, 1, CALL[os.uname().machine]), (0x06, 0, 0, 0x50001), (0x06, 0, 0, 0x7FFF0000)]
    text = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *line) for line in code))
    program = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(code), ctypes.addressof(text)))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(38, 1, 0, 0, 0) != 0 or libc.prctl(22, 2, ctypes.byref(program), 0, 0) != 0:
        os._exit(99)


class WithoutSupervisor(Case):
    def forbidden(self, *arguments: str, **more: object) -> tuple[int, str, str]:
        return self.run_exec(*arguments, preexec_fn=forbid_seccomp, **more)

    def test_a_library_is_preloaded_and_one_sentence_says_so(self) -> None:
        code, output, errors = self.forbidden("sh", "-c", PUSH)
        self.assertEqual((code, output), (0, "200 2"), errors)
        sentence, way = errors.splitlines()
        self.assertEqual(sentence, f"{REASON}, so a library is preloaded into programs. Programs that "
                                   "neither load the library nor honour HTTPS_PROXY connect to Apple and Google themselves: "
                                   "statically linked ones, for example, and those with the setuid bit.")
        self.assertRegex(way, r"\(via preload\)\.$")

    def test_trace_is_refused(self) -> None:
        code, output, errors = self.forbidden("--via", "trace", "echo", "ran")
        self.assertEqual((code, output, errors), (69, "", f"{REASON}; use --via proxy\n"))

    def test_a_static_program_gets_the_proxy(self) -> None:
        source, program, script = (self.temporary / name for name in ("main.c", "static", "script"))
        source.write_text("int main(void) { return 3; }")
        subprocess.run(["cc", "-static", "-o", program, source], check=True)
        script.write_text(f"#!{program}\n")
        script.chmod(0o755)
        for command in (str(program), str(script), "static"):
            with self.subTest(command):
                path = f"{self.temporary}:{os.environ['PATH']}"
                code, _, errors = self.forbidden(command, variables={"PATH": path})
                self.assertEqual(code, 3, errors)
                self.assertEqual(errors.splitlines()[0],
                                 f"{REASON}, and nothing can be preloaded into '{command}', {ONLY_PROXY}")
                self.assertRegex(errors, r"\(via proxy\)")


class Preload(Case):
    def test_programs_trust_pushpit_without_variables(self) -> None:
        clean = ["env", *(word for name in TRUST for word in ("-u", name)), "-u", "SSL_CERT_DIR"]
        code, output, errors = self.run_exec("--via", "preload", *clean, "sh", "-c", PUSH)
        self.assertEqual((code, output), (0, "200 2"), errors)
        _, _, errors = self.run_exec("--via", "preload", *clean, sys.executable, "-c", URLLIB)
        self.assertIn("HTTP Error 404", errors)

    def test_the_library_is_only_for_this_user_and_other_libraries_stay(self) -> None:
        other = self.temporary / "other.so"
        source = self.temporary / "other.c"
        source.write_text("int other;")
        subprocess.run(["cc", "-shared", "-fPIC", "-o", other, source], check=True)
        script = 'stat -c %a "${LD_PRELOAD#*:}"; echo "$LD_PRELOAD"; grep -c other.so /proc/self/maps'
        code, output, errors = self.run_exec("--via", "preload", "sh", "-c", script, variables={"LD_PRELOAD": str(other)})
        self.assertEqual(code, 0, errors)
        mode, value, count = output.splitlines()
        self.assertEqual((mode, value.split(":")[0]), ("700", str(other)))
        self.assertRegex(value, rf":{self.temporary}/pushpit-exec-\w+/libpushpit-preload.so$")
        self.assertGreater(int(count), 0)

    def test_a_directory_that_ld_preload_cannot_name(self) -> None:
        odd = self.temporary / "a b"
        odd.mkdir()
        code, output, errors = self.run_exec("--via", "preload", "echo", "ran", variables={"TMPDIR": str(odd)})
        self.assertEqual((code, output), (73, ""))
        self.assertRegex(errors, "^pushpit: LD_PRELOAD can't name '.*': set TMPDIR to a path without spaces and colons\n$")
        self.assertEqual(list(odd.iterdir()), [])

    def test_pushpit_inside_does_not_warn_about_the_variables(self) -> None:
        code, _, errors = self.run_exec("--via", "preload", BINARY, "rules", "apns.BadPath")
        self.assertEqual((code, errors.count("\n")), (0, 1), errors)
