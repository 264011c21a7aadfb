"""Commands that show a push on a simulator or an emulator. In place of xcrun, adb and am, a program writes down what it was given."""
from __future__ import annotations

import json
import subprocess
import tempfile
from pathlib import Path

from api_case import APICase, token_of
from gateway import PATIENCE, TOPIC

PHONE = "5" * 64
# What a careless quotation would let a shell run, or end a here-document with.
HOSTILE = [
    "Breakfast", "it's \"out\"", "$HOME `id` $(id) \\ \\n !1", "two\nlines\tand ü 📱", "%41 %s {0}", "ends in '", "'; touch pwned; '",
    "'\\''; touch pwned; '\\''", "\nEOF\ntouch pwned\n", "EOF", "$(touch pwned)`touch pwned`", "\\'\"\\", "a'b\"c\\d$e`f!g#h&i|j;k<l>m(n)o*p?q[r]s~t",
    "'\"'\"'", "--es", "-", "\x01\x1b[0m\x7f", "\u2028\u202e", "'" * 50, "\\" * 50, "''\\''''", "${IFS}", "%s%n", "\ttab\rreturn", " ",
]
PROGRAMS = {
    "xcrun": """printf '%s\\0' "$@" >arguments; cat >input""",
    # The real one gives its arguments to the shell of the emulator.
    "adb": """[ "$1" != shell ] || { shift; sh -c "$*"; }""",
    "am": """printf '%s\\0' "$@" >arguments""",
}


class EmulatorExports(APICase):
    def run_export(self, shape: str, app: str | None = None) -> tuple[list[str], str]:
        """Exports the newest message, and runs the command. Returns the arguments of the program and its input."""
        script = self.api.get(f"/messages/{self.newest()['id']}/export?as={shape}").raise_for_status().text
        with tempfile.TemporaryDirectory() as name:
            directory = Path(name)
            for program, text in PROGRAMS.items():
                (directory / program).write_text(f"#!/bin/sh\n{text}\n")
                (directory / program).chmod(0o755)
            variables = {"PATH": f"{name}:/usr/bin:/bin"} | ({"APP": app} if app else {})
            for shell in ("sh", "bash"):
                done = subprocess.run([shell, "-c", script], capture_output=True, timeout=PATIENCE, cwd=name, env=variables)
                self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"", b""), script)
            made = {file.name: file.read_bytes() for file in directory.iterdir() if file.name not in PROGRAMS}
        self.assertEqual(set(made) - {"input"}, {"arguments"}, "the command ran something else")
        return [argument.decode() for argument in made["arguments"].split(b"\0")[:-1]], made.get("input", b"").decode()

    def test_a_command_for_the_simulator_has_the_payload_as_it_was(self) -> None:
        for text in HOSTILE:
            with self.subTest(text):
                payload = {"aps": {"alert": text, "badge": 1.5}, text: [text, None, {"EOF": text}]}
                self.apple.push(token=PHONE, body=payload)
                arguments, given = self.run_export("simctl")
                self.assertEqual(arguments, ["simctl", "push", "booted", TOPIC, "-"])
                self.assertEqual(json.loads(given), {"Simulator Target Bundle": TOPIC} | payload)

    def test_the_app_in_a_command_for_the_simulator_is_one_word(self) -> None:
        for topic in ("it's", "$(touch pwned)", "a b; touch pwned", "`touch pwned`\\"):
            with self.subTest(topic):
                self.apple.push(token=PHONE, topic=topic)
                self.assertEqual(self.run_export("simctl")[0], ["simctl", "push", "booted", topic, "-"])

    def test_a_command_for_an_emulator_has_the_extras_as_they_are(self) -> None:
        device = self.device("android", app="com.it's")
        for text in HOSTILE:
            with self.subTest(text):
                sent = self.google.send(token=token_of(device, "fcm"), data={text: text, "k": text}, notification={"title": text}).raise_for_status().json()
                arguments, _ = self.run_export("adb")
                receiver = "com.it's/com.google.firebase.iid.FirebaseInstanceIdReceiver"
                self.assertEqual(arguments[:5], ["broadcast", "-a", "com.google.android.c2dm.intent.RECEIVE", "-n", receiver])
                options, keys, values = (arguments[5 + place::3] for place in range(3))
                self.assertEqual(set(options), {"--es", "--ei", "--el"})
                extras = dict(zip(keys, values, strict=True))
                self.assertEqual([extras[key] for key in (text, "k", "gcm.n.title", "gcm.n.e")], [text, text, text, "1"])
                self.assertTrue(sent["name"].endswith(extras["google.message_id"]), sent)

    def test_the_app_of_a_topic_message_comes_from_a_variable(self) -> None:
        self.google.send(topic="t", data={"k": "v"})
        arguments = self.run_export("adb", app="com.mine")[0]
        self.assertEqual(arguments[4], "com.mine/com.google.firebase.iid.FirebaseInstanceIdReceiver")
        self.assertEqual(self.run_export("simctl", app="com.mine")[0], ["simctl", "push", "booted", "com.mine", "-"])
