"""The code of README.md runs as it is there."""
from __future__ import annotations

import re
import textwrap
from pathlib import Path

import pytest

README = Path(__file__).resolve().parents[1] / "README.md"

# Your code, as the page calls it, and what the blocks take for granted.
PRELUDE = '''
import asyncio, json, os, subprocess, urllib.error, urllib.request
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


def block(start: str) -> str:
    """The Python block that begins with this text."""
    blocks = re.findall(r"^```python\n(.*?)^```$", README.read_text(), re.DOTALL | re.MULTILINE)
    [found] = [text for text in blocks if text.startswith(start)]
    return str(found)


def function(name: str, body: str, is_async: bool = False) -> str:
    if is_async:
        return f"\ndef {name}(push_app):\n    async def run():\n{textwrap.indent(body, ' ' * 8)}\n    asyncio.run(run())\n"
    return f"\ndef {name}(push_app):\n{textwrap.indent(body, ' ' * 4)}\n"


def test_the_code_of_the_page_runs(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PUSHPIT_URL", raising=False)
    device = block('phone = push_app.device("ios"').splitlines()
    category = '{"id": "NEWS", "actions": [{"id": "LATER", "title": "Later"}]}'
    device[0] = device[0].replace("(\"ios\"", f"(\"ios\", categories=[{category}]")
    pushes = [
        "for _ in range(4): welcome(phone.fcm_token, apns={\"payload\": {\"aps\": {\"category\": \"NEWS\"}}})"]
    fault = block("from pushpit import answer").replace("    ...\n", textwrap.indent(
        "try: welcome(push_app.device('android').token)\nexcept urllib.error.HTTPError: pass\n", "    "))
    pytester.makepyfile(
        PRELUDE + block("def test_welcome") + function("test_apns", block("client = aioapns") + "client.pool.close()", True)
        + function("test_device", "\n".join([device[0], *pushes, *device[1:]]))
        + function("test_socket", block("async with push_app.device"), True)
        + function("test_fault", f"phone = push_app.device('ios')\n{fault}"))
    pytester.runpytest_subprocess().assert_outcomes(passed=5)
    pytester.makepyfile(test_async=block("import aioapns"))
    pytester.runpytest_subprocess("test_async.py").assert_outcomes(passed=1)
    alone = PRELUDE + block("from pushpit import Gateway")
    pytester.makepyfile(alone=alone)
    done = pytester.runpython(pytester.path / "alone.py")
    assert done.ret == 0
