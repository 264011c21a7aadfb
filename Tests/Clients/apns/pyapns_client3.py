"""client: pyapns-client3
package: pypi:pyapns-client3
width: 20
set: `root_cert_path="certs/ca.pem"`; `APNSClient.BASE_URLS["prod"] = "https://localhost:2197"`
trap: Shortens an alert that is too long instead of failing, so you see PayloadTooLarge
  only if custom data is too long, as it is here.
trap: Makes three attempts without a pause after 429, 500, 503 and ExpiredProviderToken, each with the same token,
  which it keeps for 45 minutes.
trap: Opens a connection for each push. A client that threads share raises RuntimeError; here each thread has its own.
trap: Raises NotImplementedError for a reason that it does not know, such as ExpiredToken and
  BadEnvironmentKeyInToken.
trap: Opens a stream before it reads the first SETTINGS.

accepted       | ok | 1
bad token      | BadDeviceTokenException | 1
unregistered   | UnregisteredException | 1
expired        | ExpiredProviderTokenException; ExpiredProviderTokenException; new client: ok | 8
too large      | PayloadTooLargeException | 1
quota          | TooManyRequestsException | 3
unavailable    | ok | 2
GOAWAY         | 100 ok | 102
concurrent     | 500 ok | 501
unknown reason | NotImplementedError; NotImplementedError | 2
first SETTINGS | ok; ok on 2 connections | 2
"""
import threading

from pyapns_client import APNSClient, IOSNotification, IOSPayload, IOSPayloadAlert, TokenBasedAuth

from program import KEY, KEY_ID, TEAM_ID, TOPIC, in_threads, serve


def make() -> APNSClient:
    return APNSClient(mode=APNSClient.MODE_PROD, authentificator=TokenBasedAuth(KEY, KEY_ID, TEAM_ID))


def send_all(_: APNSClient, tokens: list[str], text: str) -> list[Exception | None]:
    """A client must not be shared by threads, so each of them has its own."""
    local = threading.local()

    def send_here(_: APNSClient, token: str, text: str) -> None:
        if not hasattr(local, "client"):
            local.client = make()
        send(local.client, token, text)
    return in_threads(send_here, 20)(_, tokens, text)


def send(client: APNSClient, token: str, text: str) -> None:
    payload = IOSPayload(IOSPayloadAlert(body="Hello"), custom={"text": text})
    client.push(IOSNotification(payload, topic=TOPIC), token)


serve(make, send, send_all)
