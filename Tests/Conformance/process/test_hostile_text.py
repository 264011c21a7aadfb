"""Text of others in what the program prints: it controls no terminal and looks like no line of ours."""
from __future__ import annotations

import http.server
import json
import re
import socketserver
import threading

from control import call
from gateway import TOKEN, Gateway, program, shared_credentials
from test_devices import send_push
from test_terminal import Screen
from test_tools import Files

AFTER = "\t\x1b[2J\x9b\u202eforged"
HOSTILE = f"x\n{AFTER}"
CONTROLS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


class Answers(http.server.BaseHTTPRequestHandler):
    """Answers each request with hostile words: as JSON, as a WebSocket's refusal, or as text."""
    protocol_version = "HTTP/1.1"
    status = 400

    def answer(self) -> None:
        self.rfile.read(int(self.headers.get("content-length", 0)))
        refusal = {"error": {"message": HOSTILE}, "met": False, "count": 1, "messages": [HOSTILE], "why": HOSTILE,
                   "nearest": [{"message": HOSTILE, "differs": [{"at": HOSTILE, "got": [HOSTILE], "expected": HOSTILE}]}]}
        is_socket = "upgrade" in self.headers
        body = HOSTILE.encode() if is_socket else json.dumps(refusal, ensure_ascii=False, indent=1).encode()
        self.send_response(self.status, "x\x1b[2J\x9bforged" if is_socket else "No")
        self.send_header("content-type", "text/plain" if is_socket else "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = answer

    def log_message(self, *_: object) -> None:
        pass


class HostileText(Files):
    def check(self, text: str) -> None:
        """Expects that the text has the hostile words, but neither their controls nor a line that begins with them."""
        self.assertIn("forged", text)
        self.assertIsNone(CONTROLS.search(text), repr(text))
        self.assertNotRegex(text, r"(?m)^[ ]*(?:\\u0009|forged)")

    def test_file_names_and_arguments_of_each_command(self) -> None:
        names = {"good": b'{"aps":{"alert":"x"}}', "key": json.dumps({"aps": {"alert": "x", HOSTILE: 1}}).encode(),
                 "value": json.dumps({"aps": {"alert": "x", "interruption-level": HOSTILE}}).encode(),
                 "v1": json.dumps({"topic": "a", "android": {"priority": HOSTILE}, HOSTILE: 1}).encode(),
                 "legacy": json.dumps({"to": HOSTILE, "data": {HOSTILE: [HOSTILE]}, "priority": [HOSTILE]}).encode()}
        files = [self.file(name + HOSTILE, content) for name, content in names.items()]
        gone, certs = str(self.directory / f"gone{HOSTILE}"), shared_credentials().name
        rows = [
            [HOSTILE], ["help", HOSTILE], ["--version", HOSTILE], [f"-{HOSTILE}"], [f"--{HOSTILE}"], ["ready", HOSTILE],
            *[["check", file] for file in files], ["check", gone], ["check", "--type", HOSTILE, files[0]],
            ["send", gone, "--to", TOKEN], ["send", files[0], "--to", HOSTILE],
            ["send", files[0], "--to", TOKEN, "--certs", gone], ["send", files[0], "--to", TOKEN, "--topic", HOSTILE],
            ["send", files[0], "--to", TOKEN, "--project", "p"], ["send", files[3], "--certs", certs, "--project", HOSTILE],
            ["send", files[4], "--certs", certs, "--url", "http://127.0.0.1:1"],
            ["expect", HOSTILE], ["expect", f"{HOSTILE}=1"], ["expect", *[f"/{HOSTILE}=1"] * 2],
            ["rules", HOSTILE], ["rules", "--format", HOSTILE], ["ready", "--url", HOSTILE], ["device", "--platform", HOSTILE],
            ["device", "--url", f"http://{HOSTILE}:1"], ["expect", "--within", HOSTILE], ["init", "--certs", f"{files[0]}/made"],
            ["serve", "--listen", HOSTILE], ["serve", "--certs", f"{files[0]}/made"], ["serve", "--apns-choice", HOSTILE],
            ["serve", "--apns-key", HOSTILE], ["serve", "--allow-host", HOSTILE], ["serve", "--data", f"{files[0]}/made"],
        ]
        for row in rows:
            with self.subTest(row):
                more = ["--listen=127.0.0.1:0", *([] if "--certs" in row else ["--certs", certs])] if row[0] == "serve" else []
                done = program(row[0], *more, *row[1:])
                text = done.stdout + done.stderr
                if "topic" not in "".join(row):  # its error shows only the control character
                    self.check(text)
                self.assertIsNone(CONTROLS.search(text), repr(text))
        for command in ("check", "rules"):
            done = program(command, files[0] if command == "check" else "nothing", variables={f"PUSHPIT_{HOSTILE}": "1"})
            self.check(done.stderr if command == "rules" else done.stderr + done.stdout)

    def test_a_directory_in_the_banner_and_in_the_list_of_init(self) -> None:
        directory = self.directory / HOSTILE
        self.check(program("init", "--certs", str(directory)).stdout)
        (directory / "server-key.pem").unlink()
        with Gateway(certificates=directory, variables={f"PUSHPIT_{HOSTILE}": "1"}) as gateway:
            self.check(gateway.banner)
            gateway.wait_for_log("unknown variable")
            self.check(gateway.log)

    def test_the_words_of_a_server(self) -> None:
        with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Answers) as server:
            thread = threading.Thread(target=server.serve_forever)
            thread.start()
            try:
                url = f"http://127.0.0.1:{server.server_address[1]}"
                for command, Answers.status in (("expect", 400), ("expect", 417), ("device", 403)):
                    with self.subTest(command, status=Answers.status):
                        self.check(program(command, "--url", url).stderr)
            finally:
                server.shutdown()
                thread.join()

    def test_texts_of_a_push_in_send_expect_and_device(self) -> None:
        with Gateway() as gateway:
            url = gateway.at().url("", scheme="http")
            screen = Screen("--url", url, "--id", "hostile")
            self.addCleanup(screen.close)
            token = screen.until(r"APNs token: ([0-9a-f]{64})").group(1)
            alert = {"title": HOSTILE, "subtitle": HOSTILE, "body": HOSTILE}
            body = {"aps": {"alert": alert, HOSTILE: 1, "interruption-level": HOSTILE}, HOSTILE: HOSTILE}
            sent = ["send", self.file("push", json.dumps(body).encode()), "--certs", str(gateway.certificates), "--url", url]
            self.check(program(*sent, "--to", token).stdout)
            self.assertEqual(send_push(gateway, token, json.dumps({"aps": {"content-available": 1}, "a": HOSTILE}).encode()), 200)
            screen.until(r"┌ x\\u000a\\u0009\\u001b\[2J\\u009b\\u202eforged  \[")
            screen.until(r"│ x\\u000a\\u0009\\u001b\[2J\\u009b\\u202eforged\r\n")
            self.check(program("expect", "--url", url, "--within", "1ms", f"/aps/alert/title={HOSTILE}y").stderr)
            self.assertEqual(call(gateway, "POST", "/faults", {"effect": {"answer": {"status": 400, "body": HOSTILE}}})[0], 201)
            done = program(*sent, "--to", token)
            self.assertEqual(done.returncode, 65)
            self.check(done.stdout)
