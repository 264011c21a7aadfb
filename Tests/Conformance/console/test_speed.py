"""Thousands of pushes: the console stays fluid. Chromium reports each task of its main thread that takes over 50 ms."""
from __future__ import annotations

import http.client
import json
import os
import threading
import time

from console.console_case import ConsoleCase

# Figures of a machine that does other work at the same time are worse, so the best of a few attempts counts.
ATTEMPTS = 3
LONGEST_TASK = 100
RATE = 200
SECONDS = int(os.environ.get("CONSOLE_SECONDS", "20"))
# The last few may be late on a busy machine.
ENOUGH = RATE * SECONDS * 99 // 100
MANY = 10_000

WATCH_TASKS = """(() => { window.tasks_ = []; window.watch_?.disconnect();
  window.watch_ = new PerformanceObserver(list => list.getEntries().forEach(entry => tasks_.push(Math.round(entry.duration))));
  watch_.observe({type: 'longtask', buffered: false}); })()"""
SCROLL = """new Promise(done => {
  const rows = document.querySelector('.rows');
  const times = [];
  let last = performance.now();
  const step = now => {
    times.push(now - last);
    last = now;
    rows.scrollTop += 137;
    if (times.length < 250) requestAnimationFrame(step);
    else done(JSON.stringify({times: times.slice(5), top: rows.scrollTop}));
  };
  requestAnimationFrame(step);
})"""

# Scrolls through the whole list, and finds which of the numbered pushes are not in it.
TITLES = """new Promise(done => {
  const rows = document.querySelector('.rows');
  const found = new Set();
  rows.scrollTop = 0;
  const step = () => {
    for (const title of document.querySelectorAll('.push-row:not([hidden]) .title')) found.add(title.innerText);
    const top = rows.scrollTop;
    rows.scrollTop += rows.clientHeight;
    if (rows.scrollTop > top) requestAnimationFrame(() => requestAnimationFrame(step));
    else done(JSON.stringify(Array.from({length: %d}, (_, number) => `Push ${number}`).filter(title => !found.has(title))));
  };
  requestAnimationFrame(() => requestAnimationFrame(step));
})"""


class Speed(ConsoleCase):
    def fill(self, count: int, first: int = 0) -> None:
        """Sends many pushes over one connection, numbered from `first`."""
        address = self.gateway.at()
        connection = http.client.HTTPConnection(address.host, address.port)
        for number in range(first, first + count):
            body = {"message": {"topic": "news", "notification": {"title": f"Push {number}", "body": "of many " * 8}}}
            connection.request("POST", "/v1/projects/crowd/messages:send", json.dumps(body).encode(),
                               {"authorization": "Bearer x", "content-type": "application/json", "host": "localhost"})
            connection.getresponse().read()
        connection.close()

    def test_ten_thousand_pushes_scroll_at_50_frames_a_second(self) -> None:
        self.fill(MANY)
        self.page.open()
        self.page.wait_text("push", ".info")
        # The list loads the older pages as it is scrolled: to its end.
        self.page.wait("(() => { const rows = document.querySelector('.rows'); rows.scrollTop = rows.scrollHeight; return document.querySelector('.info').innerText.includes('10,000 pushes') })()")
        best = 0.0
        for _ in range(ATTEMPTS):
            self.page.run("document.querySelector('.rows').scrollTop = 0; undefined")
            found = json.loads(self.page.run(SCROLL))
            self.assertGreater(found["top"], 250 * 100)
            times = sorted(found["times"])
            best = max(best, 1000 * len(times) / sum(times))
            if best >= 50:
                break
        self.assertGreaterEqual(best, 50, "frames a second")
        self.assertLess(self.page.count(".push-row"), 60, "only the rows that can be seen have elements")

    def test_two_hundred_arrivals_a_second_leave_no_long_task(self) -> None:
        attempts = []
        for _ in range(ATTEMPTS):
            self.api("POST", "/reset")
            self.page.open()
            self.page.wait_text("live", "#status")
            self.page.run(WATCH_TASKS)
            sender = threading.Thread(target=self.send_evenly)
            sender.start()
            sender.join()
            self.page.wait_text(f"{RATE * SECONDS:,} pushes", ".info")
            attempts.append((max(json.loads(self.page.run("JSON.stringify([0, ...tasks_])"))), self.in_time))
            if attempts[-1][0] <= LONGEST_TASK and self.in_time >= ENOUGH:
                break
        else:
            self.fail(f"the longest task in ms, and how many pushes were sent in {SECONDS} s, of each attempt: {attempts}")
        missing = json.loads(self.page.run(TITLES % (RATE * SECONDS)))
        self.assertEqual(missing, [], "pushes that are not in the list")

    def send_evenly(self) -> None:
        """RATE pushes a second: a twentieth of them each 50 ms. `in_time` is how many were sent when the time was over."""
        start = time.monotonic()
        self.in_time = 0
        for step in range(SECONDS * 20):
            self.fill(RATE // 20, first=step * RATE // 20)
            if time.monotonic() <= start + SECONDS:
                self.in_time = (step + 1) * RATE // 20
            rest = start + (step + 1) / 20 - time.monotonic()
            if rest > 0:
                time.sleep(rest)
