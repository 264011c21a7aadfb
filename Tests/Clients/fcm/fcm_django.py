"""client: fcm-django
package: pypi:fcm-django
set: as for firebase-admin, which it uses
trap: Deactivates a device after UnregisteredError and SenderIdMismatchError. The call for one device also raises the
  error.

accepted     | ok | 1
bad token    | InvalidArgumentError | 1
unregistered | UnregisteredError, deactivated | 1
expired      | ok; ok | 4
too large    | InvalidArgumentError | 1
quota        | ResourceExhaustedError | 5
unavailable  | ok | 2
GOAWAY       | - | HTTP/1.1 has no GOAWAY
concurrent   | 500 ok | 501
"""
import django
from django.conf import settings
from firebase_admin import initialize_app
from firebase_admin.messaging import Message, Notification

from program import name_of, serve

settings.configure(
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "fcm_django"],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
)
initialize_app()
django.setup()

from django.core.management import call_command  # noqa: E402
from fcm_django.models import FCMDevice  # noqa: E402


def make() -> None:
    """It uses the default app of firebase-admin."""


def send(_: None, token: str, text: str) -> str | None:
    device = FCMDevice.objects.create(registration_id=token, type="android")
    try:
        device.send_message(Message(notification=Notification(body=text)))
        return None
    except Exception as error:
        device.refresh_from_db()
        return name_of(error) + ("" if device.active else ", deactivated")


def send_all(_: None, tokens: list[str], text: str) -> list[str | None]:
    FCMDevice.objects.all().delete()
    FCMDevice.objects.bulk_create(FCMDevice(registration_id=token, type="android") for token in tokens)
    said = FCMDevice.objects.all().send_message(Message(notification=Notification(body=text)))
    return [None if answer.success else type(answer.exception).__name__ for answer in said.response.responses]


call_command("migrate", verbosity=0)
serve(make, send, send_all)
