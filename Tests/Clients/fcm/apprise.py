"""client: apprise
package: pypi:apprise
set: not possible without changing code: its URL of FCM is a constant; use Google's names
  ([fcm.md](fcm.md#googles-names))
unaffected: expired
trap: Says only whether a notification was sent. The reason is in its log.
trap: Waits 5.5 s between two messages of one object, and gets an access token for each object.

accepted     | ok | 1
bad token    | False | 1
unregistered | False | 1
expired      | ok; ok | 3
too large    | False | 1
quota        | False | 1
unavailable  | False | 1
GOAWAY       | - | HTTP/1.1 has no GOAWAY
concurrent   | - | it waits 5.5 s between two messages
"""
from apprise import Apprise

from program import ACCOUNT, PROJECT, serve


def make() -> None:
    """Its URL has the token, so each push needs an object."""


def send(_: None, token: str, text: str) -> str | None:
    sender = Apprise()
    sender.add(f"fcm://{PROJECT}/{token}/?mode=oauth2&keyfile={ACCOUNT}")
    return None if sender.notify(text) else "False"


serve(make, send)
