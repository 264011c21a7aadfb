"""client: apns2-up
package: pypi:apns2-up
group: apns2-up
proxy: ignores HTTPS_PROXY
set: `SSL_CERT_FILE=certs/ca.pem`; `APNsClient.LIVE_SERVER = "localhost"` and `use_alternative_port=True`
trap: Keeps its provider token for 45 minutes, also after ExpiredProviderToken, until you make a new client.
trap: A GOAWAY in the middle of a batch raises StreamResetError for the whole batch, so you do not learn which pushes
  were accepted.
trap: Raises KeyError for reasons that it does not know, such as ExpiredToken, InvalidPushType and
  BadEnvironmentKeyInToken. In a batch it returns them.
trap: Reads the first SETTINGS before it opens a stream, and raises TooManyStreamsError if they allow no stream.

accepted       | ok | 1
bad token      | BadDeviceToken | 1
unregistered   | Unregistered | 1
expired        | ExpiredProviderToken; ExpiredProviderToken; new client: ok | 4
too large      | PayloadTooLarge | 1
quota          | TooManyRequests | 1
unavailable    | ServiceUnavailable | 1
GOAWAY         | 100 StreamResetError | 51
concurrent     | 500 ok | 501
unknown reason | KeyError; KeyError | 2
first SETTINGS | TooManyStreamsError; TooManyStreamsError on 1 connection | 0
"""
from apns2_program import make, send, send_all
from program import serve

serve(make, send, send_all)
