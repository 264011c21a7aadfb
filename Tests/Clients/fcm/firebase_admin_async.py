"""client: firebase-admin for Python, asynchronous
package: pypi:firebase-admin
proxy: ignores HTTPS_PROXY
set: see [fcm.md](fcm.md#which-client-what-to-set)
trap: Repeats a message after 500 and 503, but not after 429 with `Retry-After`, unlike the synchronous calls.
trap: Uses HTTP/2. After a GOAWAY, the messages without an answer fail with UnknownError.

accepted     | ok | 1
bad token    | InvalidArgumentError | 1
unregistered | UnregisteredError | 1
expired      | ok; ok | 4
too large    | InvalidArgumentError | 1
quota        | ResourceExhaustedError | 1
unavailable  | ok | 2
GOAWAY       | 100 ok or 49..99 ok, 1..51 UnknownError | 102 or 51..150
concurrent   | 500 ok | 501
"""
from firebase_admin import App, initialize_app, messaging

from program import serve


def make() -> App:
    return initialize_app(name=f"app{id(object())}")


def message(token: str, text: str) -> messaging.Message:
    return messaging.Message(token=token, notification=messaging.Notification(body=text))


async def send_all(app: App, tokens: list[str], text: str) -> list[Exception | None]:
    batch = await messaging.send_each_async([message(token, text) for token in tokens], app=app)
    return [answer.exception for answer in batch.responses]


async def send(app: App, token: str, text: str) -> None:
    """There is no asynchronous call for one message."""
    [failure] = await send_all(app, [token], text)
    if failure:
        raise failure


serve(make, send, send_all)
