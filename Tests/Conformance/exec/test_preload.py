"""Real programs with the library of Sources/CPreload: their push connections end at a local server."""
from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from exec_case import (  # noqa: E402
    ADDRESS, BUNDLE, CLIENTS, FILES, HOST, HOSTS_FILES, SOURCES, ExecCase, make_bundles, make_files)

# What every program sees that the library leaves alone.
REAL_HOSTS = Path("/etc/hosts").read_text()
UNTOUCHED = "print(socket.socket().connect_ex((ADDRESS, 443)), read('/etc/hosts') + read(BUNDLE), end='')"
# Values with which the library does nothing. None: the variable is missing.
MALFORMED = {
    "HOSTS": (None, "", ",", "x" * 9000, ",".join("x" * 65)), "AUTHORITY": (None, "", "ca.pem", "/" * 5000),
    "PORT": (None, "", "0", "65536", "-1", "1x", "99999999999"),
}


def setUpModule() -> None:
    global work, library
    work = make_files()
    library = work / "library.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-O2", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-o", library,
                    *SOURCES.glob("CPreload/*.c")], check=True)


class Preloaded(ExecCase):
    def environment(self, **more: str | None) -> dict[str, str]:
        values = {"HOSTS": f"localhost.invalid,{HOST}", "PORT": self.port, "AUTHORITY": work / "ca.pem",
                  "BUNDLES": f"{BUNDLE}:{work / 'gone.pem'}", "DEFAULT_BUNDLES": work / "cert.pem", **more}
        set_values = {f"PUSHPIT_PRELOAD_{name}": str(value) for name, value in values.items() if value is not None}
        return os.environ | set_values | {"LD_PRELOAD": str(library)}


class Connections(Preloaded):
    def test_python(self) -> None:
        for code, expected in CLIENTS.values():
            self.assert_says(self.python(code), expected + "\n")

    def test_curl_trusts_the_gateway(self) -> None:
        self.gateway.use_tls(work)
        urls = [f"https://{HOST}:{port}" for port in (443, 2197)]
        self.assert_says(self.start("curl", "-sS", "--noproxy", "*", *urls, "--tcp-fastopen"), "gateway\n" * 2)

    def test_other_spellings_of_a_name(self) -> None:
        names = HOST.upper(), f"{HOST}."
        self.assert_says(self.python(f"print(*map(socket.gethostbyname, {names!r}))"), f"{ADDRESS} {ADDRESS}\n")
        self.assert_says(self.python(f"""
for call in socket.gethostbyname, lambda name: socket.getaddrinfo(name, 443, flags=socket.AI_NUMERICHOST):
    try: print(call({ADDRESS!r}) and call({HOST!r}))
    except OSError as error: print(error.errno)"""), f"{ADDRESS}\n-2\n")

    def test_look_ups_of_the_c_library(self) -> None:
        self.assert_says(self.python("""
libc.gethostbyname.restype = libc.gethostbyname2.restype = ctypes.c_void_p
def address(host, length):
    found = ctypes.cast(host, ctypes.POINTER(ctypes.c_void_p))[3]  # h_addr_list
    return ctypes.string_at(ctypes.cast(found, ctypes.POINTER(ctypes.c_void_p))[0], length)
print(socket.inet_ntop(socket.AF_INET, address(libc.gethostbyname(HOST.encode()), 4)))
for family, length in (socket.AF_INET, 4), (socket.AF_INET6, 16):
    print(socket.inet_ntop(family, address(libc.gethostbyname2(HOST.encode(), family), length)))
    host, room, found = (ctypes.c_void_p * 4)(), ctypes.create_string_buffer(999), ctypes.c_void_p()
    more = host, room, 999, ctypes.byref(found), ctypes.byref(ctypes.c_int())
    libc.gethostbyname2_r(HOST.encode(), family, *more), print(socket.inet_ntop(family, address(host, length)))
"""), f"{ADDRESS}\n" * 3 + f"::ffff:{ADDRESS}\n" * 2)


class Files(Preloaded):
    def test_hosts(self) -> None:
        hosts = "localhost.invalid", HOST
        shown = "".join(f"{prefix}{ADDRESS} {name}\n" for name in hosts for prefix in ("", "::ffff:"))
        for code in HOSTS_FILES:
            self.assert_says(self.python(f"print(({code}).read(), end='')"), f"{shown}{REAL_HOSTS}\n")

    def test_every_function_that_opens(self) -> None:
        self.assert_says(self.python("""
path = b"/etc/hosts"
for name in "open", "open64", "__open_2", "__open64_2": print(ADDRESS in read(libc[name](path, 0)))
for name in "openat", "openat64", "__openat_2", "__openat64_2": print(ADDRESS in read(libc[name](-100, path, 0)))
for name in "fopen", "fopen64":
    for mode in b"r", b"rbe", b"r+":
        (opened := getattr(libc, name)).restype = ctypes.c_void_p
        file = libc.fileno(ctypes.c_void_p(opened(path, mode)))
        print(fcntl.fcntl(file, fcntl.F_GETFD), ADDRESS in read(file))"""),
                         "True\n" * 8 + "0 True\n1 True\n0 False\n" * 2)

    def test_descriptors(self) -> None:
        for code, expected in FILES.values():
            self.assert_says(self.python(code), expected + "\n")
        self.assert_says(self.start("ls", "/proc/self/fd"), "0\n1\n2\n3\n")

    def test_bundles(self) -> None:
        for path, content in make_bundles(work).items():
            self.assert_says(self.start("cat", path, cwd=work), content)

    def test_a_default_bundle_that_is_missing(self) -> None:
        authority = (work / "ca.pem").read_text()
        self.assert_says(self.start("cat", work / "cert.pem"), f"{authority}\n")
        process = self.python(f"print(os.path.exists({str(work / 'cert.pem')!r}))", env=self.environment(DEFAULT_BUNDLES=None))
        self.assert_says(process, "False\n")

    def test_new_files_get_their_mode(self) -> None:
        self.assert_says(self.python("""
os.chdir(os.environ["PUSHPIT_PRELOAD_AUTHORITY"].removesuffix("ca.pem")), os.umask(0)
os.open("one", os.O_CREAT | os.O_WRONLY, 0o640), os.open("two", os.O_CREAT, 0o604, dir_fd=os.open(".", 0))
print(*(oct(os.stat(file).st_mode & 0o777) for file in ("one", "two", os.open(".", os.O_TMPFILE | os.O_RDWR, 0o600))))
"""), "0o640 0o604 0o600\n")


class Safety(Preloaded):
    def test_malformed_variables_change_nothing(self) -> None:
        expected = f"111 {REAL_HOSTS}{Path(BUNDLE).read_text()}"
        for name, values in MALFORMED.items():
            for value in values:
                with self.subTest(name=name, value=value):
                    self.assert_says(self.python(UNTOUCHED, env=self.environment(**{name: value})), expected)

    def test_bundles_may_be_missing_or_too_many(self) -> None:
        for value in None, "", ":", ":".join("x" * 99), "x" * 9000:
            process = self.python("print(read(BUNDLE), end='')", env=self.environment(BUNDLES=value))
            self.assert_says(process, Path(BUNDLE).read_text())

    def test_a_missing_authority_changes_no_bundle(self) -> None:
        process = self.python("print(read(BUNDLE), end='')", env=self.environment(AUTHORITY="/nowhere"))
        self.assert_says(process, Path(BUNDLE).read_text())

    def test_threads_forks_and_a_cleared_environment(self) -> None:
        # Python imports this codec at the first look-up. A child that is forked meanwhile waits forever for the import.
        self.assert_says(self.python("""
"x".encode("idna")
libc.clearenv()
def work(_):
    child = os.fork()
    good = ADDRESS in read("/etc/hosts") and socket.create_connection((HOST, 443)).recv(9) == b"gateway\\n"
    if child == 0: os._exit(good)
    return good and os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 1
with ThreadPoolExecutor(16) as pool: print(set(pool.map(work, range(200))))"""), "{True}\n")
