"""client: pyfcm
package: pypi:pyfcm
proxy: its asynchronous calls ignore HTTPS_PROXY
set: see [fcm.md](fcm.md#which-client-what-to-set)
trap: A `Retry-After` above 0 on any answer makes it sleep and send again, without limit: the call does not end.
trap: After 502 and 503 it repeats ten times, with pauses of up to two minutes.
trap: A 429 without `Retry-After` is FCMServerError, and a 403 is always FCMSenderIdMismatchError.

accepted     | ok | 1
bad token    | InvalidDataError | 1
unregistered | FCMNotRegisteredError | 1
expired      | ok; ok | 4
too large    | InvalidDataError | 1
quota        | no end within 8 s | 5..9
unavailable  | ok | 2
GOAWAY       | - | HTTP/1.1 has no GOAWAY
concurrent   | 500 ok | 501
"""
from pyfcm import FCMNotification

from program import ACCOUNT, PROJECT, serve


def make() -> FCMNotification:
    return FCMNotification(service_account_file=ACCOUNT, project_id=PROJECT)


def send(client: FCMNotification, token: str, text: str) -> None:
    client.notify(fcm_token=token, notification_body=text)


def send_all(client: FCMNotification, tokens: list[str], text: str) -> list[str | None]:
    answers = client.async_notify_multiple_devices([{"fcm_token": token, "notification_body": text} for token in tokens])
    return [None if "name" in answer else str(answer) for answer in answers]


serve(make, send, send_all)
