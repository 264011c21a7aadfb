"""client: apprise
package: pypi:apprise
width: cores + 4
set: not possible without changing code: its URL of FCM is a constant; use Google's names
  ([fcm.md](fcm.md#googles-names))
patience: 240
unaffected: expired
trap: Says only whether a notification was sent. The reason is in its log.
trap: Waits 5.5 s between two tokens of one URL. `notify` and `async_notify` send to several URLs at the same time, with
  as many threads as there are cores, and four more.
trap: For each push it gets an access token, reads the key and reads the CA bundle twice, which takes a core about 0.1 s.
  It gives up what is not sent after 60 s, but not with `AppriseAsset(service_timeout=0)`.

accepted     | ok | 1
bad token    | False | 1
unregistered | False | 1
expired      | ok; ok | 3
too large    | False | 1
quota        | False | 1
unavailable  | False | 1
GOAWAY       | - | HTTP/1.1 has no GOAWAY
concurrent   | 500 ok | 501
"""
from apprise import Apprise, AppriseAsset

from program import ACCOUNT, PROJECT, serve


def make() -> None:
    """Its URL has the token, so each push needs an object."""


def send(_: None, token: str, text: str) -> str | None:
    return send_all(_, [token], text)[0]


def send_all(_: None, tokens: list[str], text: str) -> list[str | None]:
    sender = Apprise(asset=AppriseAsset(service_timeout=0))
    sender.add([f"fcm://{PROJECT}/{token}/?mode=oauth2&keyfile={ACCOUNT}" for token in tokens])
    return [None if result else "False" for result in sender.notify(text)]


serve(make, send, send_all)
