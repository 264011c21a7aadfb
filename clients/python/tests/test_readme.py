"""The code of README.md runs as it is there."""
from __future__ import annotations

import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from pushpit._environment import without_pushpit
from pushpit._program import find_program

README = Path(__file__).resolve().parents[1] / "README.md"

# Your code, as the page calls it, and what the blocks take for granted.
PRELUDE = '''
import asyncio, json, os, re, subprocess, urllib.error, urllib.request
import aioapns

def push(message):
    request = urllib.request.Request(
        f"https://fcm.googleapis.com/v1/projects/{os.environ['GOOGLE_CLOUD_PROJECT']}/messages:send",
        json.dumps({"message": message}).encode(),
        {"authorization": "Bearer x", "content-type": "application/json"})
    urllib.request.urlopen(request).close()

def welcome(token, **more):
    push({"token": token, "notification": {"title": "Welcome"}, **more})

async def welcome_async(token):
    await asyncio.get_running_loop().run_in_executor(None, apns_welcome, token)

def apns_welcome(token):
    import time, httpx, jwt
    key = open(os.environ["PUSHPIT_APNS_KEY"]).read()
    claims = {"iss": os.environ["PUSHPIT_APNS_TEAM_ID"], "iat": int(time.time())}
    bearer = jwt.encode(claims, key, "ES256", headers={"kid": os.environ["PUSHPIT_APNS_KEY_ID"]})
    with httpx.Client(http2=True) as client:
        client.post(
            f"https://api.push.apple.com/3/device/{token}", json={"aps": {"alert": "Welcome"}},
            headers={"authorization": f"bearer {bearer}", "apns-topic": os.environ["PUSHPIT_APNS_TOPIC"]})
'''


# A service that sends to the project in its own configuration, and what starts it.
SHOP = '''
import http.server, json, urllib.request

class app(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        message = {"token": self.path.partition("token=")[2], "notification": {"title": "Thank you"}}
        urllib.request.urlopen(urllib.request.Request(
            "https://fcm.googleapis.com/v1/projects/pushpit-local/messages:send", json.dumps({"message": message}).encode(),
            {"authorization": "Bearer x", "content-type": "application/json"})).close()
        self.send_response(200)
        self.end_headers()
'''
UVICORN = '''
import http.server, sys, shop
http.server.HTTPServer(("127.0.0.1", int(sys.argv[3])), shop.app).serve_forever()
'''


def block(start: str, language: str = "python") -> str:
    """The block that begins with this text."""
    blocks = re.findall(rf"^```{language}\n(.*?)^```$", README.read_text(), re.DOTALL | re.MULTILINE)
    [found] = [text for text in blocks if text.startswith(start)]
    return str(found)


def function(name: str, body: str, is_async: bool = False) -> str:
    if is_async:
        return f"\ndef {name}(push_app):\n    async def run():\n{textwrap.indent(body, ' ' * 8)}\n    asyncio.run(run())\n"
    return f"\ndef {name}(push_app):\n{textwrap.indent(body, ' ' * 4)}\n"


def test_the_code_of_the_page_runs(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PUSHPIT_URL", raising=False)
    device = block('phone = push_app.device("ios", state={"locked"').splitlines()
    category = '{"id": "NEWS", "actions": [{"id": "LATER", "title": "Later"}]}'
    device[0] = device[0].replace("(\"ios\"", f"(\"ios\", categories=[{category}]")
    pushes = [
        "for _ in range(4): welcome(phone.fcm_token, apns={\"payload\": {\"aps\": {\"category\": \"NEWS\"}}})"]
    fault = block("from pushpit import answer").replace("    ...\n", textwrap.indent(
        "try: welcome(push_app.device('android').token)\nexcept urllib.error.HTTPError: pass\n", "    "))
    denied = block('phone = push_app.device("ios", state={"permission"')
    pytester.makepyfile(
        PRELUDE + block("def test_welcome") + function("test_apns", block("client = aioapns") + "client.pool.close()", True)
        + function("test_device", "\n".join([device[0], *pushes, *device[1:]]))
        + function("test_denied", denied + denied.replace("ios", "android", 1))
        + function("test_socket", block("async with push_app.device"), True)
        + function("test_fault", f"phone = push_app.device('ios')\n{fault}"))
    pytester.runpytest_subprocess().assert_outcomes(passed=6)
    pytester.makepyfile(test_async=block("import aioapns"))
    pytester.runpytest_subprocess("test_async.py").assert_outcomes(passed=1)
    alone = PRELUDE + block("from pushpit import Gateway")
    pytester.makepyfile(alone=alone)
    done = pytester.runpython(pytester.path / "alone.py")
    assert done.ret == 0


def test_the_code_about_web_push_runs(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PUSHPIT_URL", raising=False)
    pytester.makepyfile(pywebpush=Path(__file__).with_name("web_pushes.py").read_text())
    pytester.makepyfile("from pywebpush import KEY as VAPID_KEY\n" + block("from pywebpush import"))
    pytester.runpytest_subprocess().assert_outcomes(passed=1)


def test_the_code_about_a_service_in_another_process_runs_under_exec(pytester: pytest.Pytester) -> None:
    ini = block("[pytest]", "ini")
    pytester.makeini(ini)
    pytester.makeconftest(block("# conftest.py"))
    pytester.makepyfile(test_shop=block("# test_shop.py"), shop=SHOP, uvicorn=UVICORN)

    def run(*command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [find_program(), "exec", "--", *command], env=without_pushpit(), capture_output=True, text=True)

    done = run(sys.executable, "-m", "pytest", "-p", "no:cacheprovider")
    assert done.returncode == 0 and "1 passed" in done.stdout, done.stdout + done.stderr
    names = run("sh", "-c", "echo \"pushpit_app = $PUSHPIT_APNS_TOPIC\npushpit_project = $PUSHPIT_FCM_PROJECT\"").stdout
    assert ini == f"[pytest]\n{names}"
