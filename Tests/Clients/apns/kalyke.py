"""client: kalyke-apns
package: pypi:kalyke-apns
width: 10
patience: 120
set: `SSL_CERT_FILE=certs/ca.pem`; `ApnsClient._base_url = "https://localhost:2197"`
unaffected: expired
trap: Opens a connection for each push, and reads all CA certificates for it, which takes 30 ms of CPU time. 500
  pushes at once raise ConnectTimeout; here it sends ten at a time.
trap: Signs a provider token for each push, so expired credentials do not matter to it.
trap: Raises AttributeError for a reason that it does not know, such as BadEnvironmentKeyInToken.
trap: Opens a stream before it reads the first SETTINGS.

accepted       | ok | 1
bad token      | BadDeviceToken | 1
unregistered   | Unregistered | 1
expired        | ok; ok | 3
too large      | PayloadTooLarge | 1
quota          | TooManyRequests | 1
unavailable    | ServiceUnavailable | 1
GOAWAY         | 99 ok, 1 RemoteProtocolError | 101
concurrent     | 500 ok | 501
unknown reason | ExpiredToken; AttributeError | 2
first SETTINGS | ok; ok on 2 connections | 2
"""
from kalyke import ApnsClient, ApnsConfig, Payload

from program import KEY, KEY_ID, TEAM_ID, TOPIC, at_once, serve


def make() -> ApnsClient:
    return ApnsClient(use_sandbox=False, team_id=TEAM_ID, auth_key_id=KEY_ID, auth_key_filepath=KEY)


async def send(client: ApnsClient, token: str, text: str) -> None:
    await client.send_message(token, Payload(alert=text), ApnsConfig(topic=TOPIC))


# It opens a connection for each push, and gives up if that takes over 5 s.
serve(make, send, at_once(send, 10))
