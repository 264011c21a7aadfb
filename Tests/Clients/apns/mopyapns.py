"""client: mopyapns
package: pypi:mopyapns
width: 1
group: mopyapns
set: `SSL_CERT_FILE=certs/ca.pem`; `APNsClient.LIVE_SERVER = "localhost"` and `use_alternative_port=True`
trap: Keeps its provider token for 45 minutes, also after ExpiredProviderToken, until you make a new client.
trap: Sends the pushes of a batch one at a time. Therefore it survives a GOAWAY: only one request is open.
trap: Raises KeyError for reasons that it does not know, such as ExpiredToken, InvalidPushType and
  BadEnvironmentKeyInToken. In a batch it returns them.
trap: Opens a stream before it reads the first SETTINGS. If these allow no stream, the next push raises
  LocalProtocolError.

accepted       | ok | 1
bad token      | BadDeviceToken | 1
unregistered   | Unregistered | 1
expired        | ExpiredProviderToken; ExpiredProviderToken; new client: ok | 4
too large      | PayloadTooLarge | 1
quota          | TooManyRequests | 1
unavailable    | ServiceUnavailable | 1
GOAWAY         | 100 ok | 102
concurrent     | 500 ok | 501
unknown reason | KeyError; KeyError | 2
first SETTINGS | ok; LocalProtocolError on 1 connection | 1
"""
from apns2_program import make, send, send_all
from program import serve

serve(make, send, send_all)
