"""client: google-auth
package: pypi:google-auth
set: `REQUESTS_CA_BUNDLE=certs/ca.pem`; `https://localhost:2197` in the URL
trap: Renews its access token after 401, but repeats nothing after 429 and 503.

accepted     | ok | 1
bad token    | 400 INVALID_ARGUMENT | 1
unregistered | 404 NOT_FOUND | 1
expired      | ok; ok | 4
too large    | 400 INVALID_ARGUMENT | 1
quota        | 429 RESOURCE_EXHAUSTED | 1
unavailable  | 503 UNAVAILABLE | 1
GOAWAY       | - | HTTP/1.1 has no GOAWAY
concurrent   | 500 ok | 501
"""
import google.auth
from google.auth.transport.requests import AuthorizedSession

from program import PROJECT, SCOPES, serve

URL = f"https://fcm.googleapis.com/v1/projects/{PROJECT}/messages:send"


def make() -> AuthorizedSession:
    credentials, _ = google.auth.default(scopes=SCOPES)
    return AuthorizedSession(credentials)


def send(session: AuthorizedSession, token: str, text: str) -> str | None:
    answer = session.post(URL, json={"message": {"token": token, "notification": {"body": text}}})
    return None if answer.ok else f"{answer.status_code} {answer.json()['error']['status']}"


serve(make, send)
