"""WebSocket and EventSource of a real browser."""
from __future__ import annotations

import json
import unittest
from typing import ClassVar

from api_case import Apple
from browsers import Chromium
from gateway import Gateway

OPEN = """
new Promise((done, fail) => {
  window.frames_ = [];
  const socket = window.socket = new WebSocket(`ws://${location.host}/devices/socket`, 'pushpit.device.v1');
  socket.onopen = () => socket.send(JSON.stringify({type: 'hello', device: {platform: 'ios', app: 'com.example.app'}}));
  socket.onmessage = message => {
    const frame = JSON.parse(message.data);
    window.frames_.push(frame);
    if (frame.type === 'welcome') done(JSON.stringify({frame, protocol: socket.protocol}));
  };
  socket.onclose = event => fail(new Error(`closed ${event.code}`));
})
"""
WAIT = """
new Promise(done => {
  const look = () => {
    const found = window.frames_.filter(frame => frame.type === '%s');
    found.length ? done(JSON.stringify(found)) : setTimeout(look, 5);
  };
  look();
})
"""


@unittest.skipUnless(Chromium.path(), "there is no chromium here; scripts/test installs it where Debian has it")
class Browser(unittest.TestCase):
    gateway: ClassVar[Gateway]
    page: ClassVar[Chromium]

    @classmethod
    def setUpClass(cls) -> None:
        cls.gateway = cls.enterClassContext(Gateway())
        cls.page = Chromium(cls.gateway.at().url("/docs", scheme="http"))
        cls.addClassCleanup(cls.page.close)

    def test_its_own_websocket_is_a_device(self) -> None:
        welcome = json.loads(self.page.run(OPEN))
        self.assertEqual(welcome["protocol"], "pushpit.device.v1")
        with Apple(self.gateway) as apple:
            body = {"aps": {"alert": {"title": "Grüße", "body": "x" * 3000}}}
            self.assertEqual(apple.push(token=welcome["frame"]["device"]["tokens"]["apns"]["token"], body=body).status, 200)
        (push,) = json.loads(self.page.run(WAIT % "push"))
        self.assertEqual(push["payload"], body)
        kinds = [frame["kind"] for frame in json.loads(self.page.run(WAIT % "event"))]
        self.assertEqual(kinds, ["delivered", "presented"])
        self.page.run("socket.send(JSON.stringify({type: 'ping'}))")
        self.page.run(WAIT % "pong")
        closed = self.page.run("new Promise(done => { socket.onclose = event => done(`${event.code} ${event.wasClean}`); socket.close(1000, 'done') })")
        self.assertEqual(closed, "1000 true")

    def test_its_own_event_source_reads_the_log_and_resumes(self) -> None:
        script = """
        new Promise((done, fail) => {
          const source = new EventSource('/api/v1/events?since=0&kind=registered');
          source.addEventListener('registered', event => { source.close(); done(`${event.lastEventId} ${JSON.parse(event.data).device}`); });
          fetch('/api/v1/devices', {method: 'POST', body: JSON.stringify({platform: 'web', app: 'https://example.com', id: 'seen'})})
            .then(answer => answer.status === 201 || fail(new Error(`status ${answer.status}`)));
        })
        """
        self.assertRegex(self.page.run(script), r"^\d+ \w+$")
