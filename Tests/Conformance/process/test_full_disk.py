"""Starting with a full disk, and with one that has room again. `fixtures/full_disk.c` makes the disk full."""
from __future__ import annotations

import subprocess
import tempfile
import unittest
from pathlib import Path

from gateway import Gateway, program
from preload import preload


class FullDisk(unittest.TestCase):
    def setUp(self) -> None:
        place = Path(self.enterContext(tempfile.TemporaryDirectory(prefix="pushpit-full-")))
        self.data, self.certificates = place / "data", place / "certs"
        self.library = preload(Path(__file__).parent.parent / "fixtures/full_disk.c", place)

    def start(self, full: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Starts a gateway, which must not run, while nothing can be written to this directory."""
        return program(
            "serve", "--listen", "127.0.0.1:0", "--certs", str(self.certificates), *arguments,
            variables=self.library | {"FULL_DISK": str(full)})

    def with_data(self) -> Gateway:
        """The same with room on the disk."""
        return Gateway("--data", str(self.data), certificates=self.certificates)

    def test_a_full_disk_of_new_data_ends_the_start_with_74_and_is_named(self) -> None:
        self.refuses_full_data()
        with self.with_data() as gateway:
            self.assertTrue(gateway.is_running, "what the failed start has left behind is no obstacle")

    def test_so_does_a_full_disk_of_old_data(self) -> None:
        with self.with_data():
            pass
        self.refuses_full_data()
        with self.with_data() as gateway:
            self.assertTrue(gateway.is_running)

    def refuses_full_data(self) -> None:
        done = self.start(self.data, "--data", str(self.data))
        text = f"pushpit: cannot open {self.data}/pushpit.db: the disk is full: free some space on it; see --data\n"
        self.assertEqual((done.returncode, done.stdout, done.stderr), (74, "", text))

    def test_a_full_disk_of_new_credentials_ends_the_start_with_78_and_is_named(self) -> None:
        for arguments in ((), ("--data", str(self.data))):
            done = self.start(self.certificates, *arguments)
            text = f"pushpit: cannot write {self.certificates}/ca-key.pem: No space left on device; free some space on its disk\n"
            self.assertEqual((done.returncode, done.stdout, done.stderr), (78, "", text))
        left = [path.name for path in self.certificates.iterdir()]
        self.assertEqual(left, [".pushpit.lock"], "no half of a file")
        done = program("init", "--certs", str(self.certificates))
        self.assertEqual(done.returncode, 0, done.stderr)
