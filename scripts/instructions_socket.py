"""For scripts/instructions.py: a device on a socket, which gets frames of each push."""

import socket
import threading
import time

import bench_devices
from load_requests import Plan

DELIVERED = b'"kind":"delivered"'


class Viewer(threading.Thread):
    """Reads a device's frames, and counts the deliveries."""

    def __init__(self, peer: socket.socket) -> None:
        super().__init__(daemon=True)
        self.peer = peer
        self.delivered = 0
        self.start()

    def run(self) -> None:
        rest = b""
        while chunk := self.peer.recv(1 << 20):
            rest += chunk
            self.delivered += rest.count(DELIVERED)
            # The kept end is too short to contain a delivery that was counted.
            rest = rest[1 - len(DELIVERED):]

    def check(self, pushes: int) -> None:
        """All pushes have arrived, or will soon. The gateway closes a socket whose client reads too slowly."""
        for _ in range(600):
            if self.delivered == pushes:
                return
            time.sleep(0.1)
        raise SystemExit(f"the socket got frames of {self.delivered} pushes, not of {pushes}")


def watch(port: int, plan: Plan) -> Viewer:
    """Creates the device of the plan's token, with a socket."""
    return Viewer(bench_devices.device(port, tokens={"apns": {"token": plan.token_list()[0]}})[0])
