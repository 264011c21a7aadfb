"""client: django-push-notifications
package: pypi:django-push-notifications
proxy: ignores HTTPS_PROXY
set: as for aioapns, whose constants it uses; `SSL_CERT_FILE=certs/ca.pem`
unaffected: expired
trap: `APNS_AUTH_KEY_PATH` is the text of the key, not its path, because aioapns 4 wants the text.
trap: Opens a connection for each call and gives each push of it one second of real time. A busy machine does not finish
  500 pushes in that time: some fail with TimeoutError, although they may have arrived.
trap: After a GOAWAY it repeats the pushes that got no answer, but a push that it sends at that moment may fail with
  CommunicationError, as in aioapns.
trap: APNSError lists the reasons, but not the devices: after a failed batch, you can't tell which devices got the push. It
  deactivates devices after Unregistered, BadDeviceToken and DeviceTokenNotForTopic.
trap: Opens a stream before it reads the first SETTINGS, as aioapns does.

accepted       | ok | 1
bad token      | APNSError BadDeviceToken, deactivated | 1
unregistered   | APNSError Unregistered, deactivated | 1
expired        | ok; ok | 3
too large      | APNSError PayloadTooLarge | 1
quota          | APNSError TooManyRequests | 1
unavailable    | APNSError ServiceUnavailable | 1
GOAWAY         | 100 ok or 49..99 unclear, 1..51 CommunicationError | 102 or 51..101
concurrent     | 500 ok or 100..499 unclear, 1..400 TimeoutError | 501 or 101..501
unknown reason | APNSError ExpiredToken; APNSError BadEnvironmentKeyInToken | 2
first SETTINGS | ok; ok on 2 connections | 2
"""
from pathlib import Path

import django
from django.conf import settings

from program import KEY, KEY_ID, TEAM_ID, TOPIC, serve

settings.configure(
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "push_notifications"],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    PUSH_NOTIFICATIONS_SETTINGS={
        "APNS_AUTH_KEY_PATH": Path(KEY).read_text(), "APNS_AUTH_KEY_ID": KEY_ID, "APNS_TEAM_ID": TEAM_ID,
        "APNS_TOPIC": TOPIC},
)
django.setup()

from django.core.management import call_command  # noqa: E402
from push_notifications.exceptions import APNSError  # noqa: E402
from push_notifications.models import APNSDevice  # noqa: E402


def make() -> None:
    """It makes an aioapns client for each call."""


def send(_: None, token: str, text: str) -> str | None:
    return send_all(_, [token], text)[0]


def send_all(_: None, tokens: list[str], text: str) -> list[str | None]:
    APNSDevice.objects.all().delete()
    APNSDevice.objects.bulk_create(APNSDevice(registration_id=token) for token in tokens)
    try:
        APNSDevice.objects.all().send_message(text)
        return [None] * len(tokens)
    except APNSError as error:
        """Its text lists the failures, but not whose they are."""
        failures = str(error).split(": ", 1)[1].split(", ")
        if len(tokens) > 1:
            return [failure.split(":")[0] for failure in failures] + ["unclear"] * (len(tokens) - len(failures))
        left = "" if APNSDevice.objects.filter(active=True).count() == len(tokens) else ", deactivated"
        return [f"APNSError {failures[0]}{left}"]


call_command("migrate", verbosity=0)
serve(make, send, send_all)
