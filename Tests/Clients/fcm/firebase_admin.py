"""client: firebase-admin for Python
package: pypi:firebase-admin
set: see [fcm.md](fcm.md#which-client-what-to-set)
trap: Repeats a message four times, within about 7 s, after 500 and 503, and after a 429 that has `Retry-After`. It waits in real time, at least as long as `Retry-After` says.
trap: Raises UnregisteredError, SenderIdMismatchError, QuotaExceededError and ThirdPartyAuthError only for answers
  with an FcmError; the quota of a project is ResourceExhaustedError.
trap: `send_each` opens a connection for each message that it sends at the same time.

accepted     | ok | 1
bad token    | InvalidArgumentError | 1
unregistered | UnregisteredError | 1
expired      | ok; ok | 4
too large    | InvalidArgumentError | 1
quota        | ResourceExhaustedError | 5
unavailable  | ok | 2
GOAWAY       | - | HTTP/1.1 has no GOAWAY
concurrent   | 500 ok | 501
topics       | ok; 1 shown | 1
"""
from firebase_admin import App, initialize_app, messaging

from program import serve


def make() -> App:
    return initialize_app(name=f"app{id(object())}")


def message(token: str, text: str) -> messaging.Message:
    return messaging.Message(token=token, notification=messaging.Notification(body=text))


def send(app: App, token: str, text: str) -> None:
    messaging.send(message(token, text), app=app)


def send_all(app: App, tokens: list[str], text: str) -> list[Exception | None]:
    batch = messaging.send_each([message(token, text) for token in tokens], app=app)
    return [answer.exception for answer in batch.responses]


def use_topic(app: App, topic: str, token: str) -> str | None:
    before = messaging.subscribe_to_topic([token], topic, app=app)
    messaging.send(messaging.Message(topic=topic, notification=messaging.Notification(body="Hello")), app=app)
    after = messaging.unsubscribe_from_topic([token], topic, app=app)
    counts = before.success_count, after.success_count
    return None if counts == (1, 1) else str(counts)


serve(make, send, send_all, use_topic)
