"""A relay between clients and a gateway: it loses what it carries, and cuts its connections, as networks do."""
from __future__ import annotations

import contextlib
import socket
import struct
import threading
import time
from typing import Self


class Relay:
    """Passes connections to a port of this machine on during its `with` block."""

    def __init__(self, target: int) -> None:
        self.target = target
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.pairs: list[tuple[socket.socket, socket.socket]] = []
        self.last_connected = 0.0
        # New connections are passed on while it is set; bytes from the target are passed on until they are lost.
        self.opened, self.loses = threading.Event(), False
        self.opened.set()

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.opened.set()
        self.listener.close()
        self.cut()

    def lose(self) -> None:
        """From now on nothing that the gateway sends arrives, and new connections wait."""
        self.opened.clear()
        self.loses = True

    def cut(self) -> None:
        """Resets all connections that are passed on."""
        for pair in self.pairs:
            for end in pair:
                with contextlib.suppress(OSError):
                    end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    # Threads that read from it have to end before it is closed.
                    end.shutdown(socket.SHUT_RD)
                    end.close()
        self.pairs.clear()

    def heal(self) -> None:
        """Passes everything on again, also the connections that wait."""
        self.loses = False
        self.opened.set()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self.listener.accept()
                threading.Thread(target=self._pass_on, args=(client,), daemon=True).start()

    def _pass_on(self, client: socket.socket) -> None:
        self.opened.wait()
        try:
            server = socket.create_connection(("127.0.0.1", self.target))
        except OSError:
            client.close()
            return
        self.last_connected = time.monotonic()
        self.pairs.append((client, server))
        threading.Thread(target=self._carry, args=(client, server, False), daemon=True).start()
        self._carry(server, client, True)

    def _carry(self, source: socket.socket, sink: socket.socket, is_answer: bool) -> None:
        with contextlib.suppress(OSError):
            while chunk := source.recv(65_536):
                if not (is_answer and self.loses):
                    sink.sendall(chunk)
            sink.shutdown(socket.SHUT_WR)
