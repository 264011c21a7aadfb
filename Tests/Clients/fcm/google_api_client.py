"""client: google-api-python-client
package: pypi:google-api-python-client
width: 20
proxy: uses HTTPS_PROXY only with the package PySocks
set: `HTTPLIB2_CA_CERTS=certs/ca.pem`; `client_options={"api_endpoint": "https://localhost:2197"}` for `build`
trap: Threads must not share its HTTP client: calls then never end. Here each thread has its own.
trap: Repeats nothing unless you pass `num_retries` to `execute`.

accepted     | ok | 1
bad token    | HttpError 400 | 1
unregistered | HttpError 404 | 1
expired      | ok; ok | 4
too large    | HttpError 400 | 1
quota        | HttpError 429 | 1
unavailable  | HttpError 503 | 1
GOAWAY       | - | HTTP/1.1 has no GOAWAY
concurrent   | 500 ok | 501
"""
import threading

import google.auth
import google_auth_httplib2
import httplib2
from googleapiclient.discovery import Resource, build
from googleapiclient.errors import HttpError
from googleapiclient.http import HttpRequest

from program import PROJECT, SCOPES, in_threads, name_of, serve


def make() -> Resource:
    credentials, _ = google.auth.default(scopes=SCOPES)
    return build("fcm", "v1", credentials=credentials)


def call(service: Resource, token: str, text: str) -> HttpRequest:
    body = {"message": {"token": token, "notification": {"body": text}}}
    return service.projects().messages().send(parent=f"projects/{PROJECT}", body=body)


def send(service: Resource, token: str, text: str) -> None:
    call(service, token, text).execute()


def send_all(service: Resource, tokens: list[str], text: str) -> list[Exception | None]:
    """Its HTTP client must not be shared by threads, so each of them has its own."""
    local = threading.local()

    def send_here(service: Resource, token: str, text: str) -> None:
        if not hasattr(local, "http"):
            local.http = google_auth_httplib2.AuthorizedHttp(service._http.credentials, httplib2.Http())
        call(service, token, text).execute(http=local.http)
    return in_threads(send_here, 20)(service, tokens, text)


def describe(error: Exception) -> str:
    return f"HttpError {error.resp.status}" if isinstance(error, HttpError) else name_of(error)


serve(make, send, send_all, describe=describe)
