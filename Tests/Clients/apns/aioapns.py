"""client: aioapns
package: pypi:aioapns
proxy: ignores HTTPS_PROXY
set: `ssl_context=ssl.create_default_context(cafile="certs/ca.pem")`; in `aioapns.connection`,
  `APNsProductionClientProtocol.APNS_SERVER = "localhost"` and `APNsTLSClientProtocol.APNS_PORT = 2197`
trap: `key` is the text of the key. With a path, the first push raises ValueError.
trap: Each of its connections (up to ten) keeps its provider token for 30 minutes, also after ExpiredProviderToken.
  Here the next push succeeds only because a refusal lowers the stream limit, as at Apple: aioapns then opens another
  connection, which signs its own token.
trap: Never repeats a push because of a status. After a GOAWAY it repeats the pushes that got no answer, but a push
  that it sends at that moment may fail with ProtocolError.
trap: Opens a stream before it reads the first SETTINGS. If these allow no stream, the next push opens another
  connection.

accepted       | ok | 1
bad token      | BadDeviceToken | 1
unregistered   | Unregistered | 1
expired        | ExpiredProviderToken; ok | 3
too large      | PayloadTooLarge | 1
quota          | TooManyRequests | 1
unavailable    | ServiceUnavailable | 1
GOAWAY         | 100 ok or 49..99 ok, 1..51 ProtocolError | 102 or 51..101
concurrent     | 500 ok | 501
unknown reason | ExpiredToken; BadEnvironmentKeyInToken | 2
first SETTINGS | ok; ok on 2 connections | 2
"""
from pathlib import Path

from aioapns import APNs, NotificationRequest

from program import KEY, KEY_ID, TEAM_ID, TOPIC, serve


def make() -> APNs:
    return APNs(key=Path(KEY).read_text(), key_id=KEY_ID, team_id=TEAM_ID, topic=TOPIC)


async def send(client: APNs, token: str, text: str) -> str | None:
    answer = await client.send_notification(NotificationRequest(token, {"aps": {"alert": text}}))
    return None if answer.is_successful else answer.description


serve(make, send)
