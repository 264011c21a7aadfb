"""client: django-push-notifications
package: pypi:django-push-notifications
set: as for firebase-admin, which it uses
trap: Deactivates a device after UnregisteredError and SenderIdMismatchError, but also after every InvalidArgumentError,
  such as the one for a message that is too large.
trap: Raises nothing: failures are in the result.

accepted     | ok | 1
bad token    | InvalidArgumentError, deactivated | 1
unregistered | UnregisteredError, deactivated | 1
expired      | ok; ok | 4
too large    | InvalidArgumentError, deactivated | 1
quota        | ResourceExhaustedError | 5
unavailable  | ok | 2
GOAWAY       | - | HTTP/1.1 has no GOAWAY
concurrent   | 500 ok | 501
"""
import django
from django.conf import settings
from firebase_admin import initialize_app

from program import name_of, serve

settings.configure(
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "push_notifications"],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    PUSH_NOTIFICATIONS_SETTINGS={"FIREBASE_APP": initialize_app()},
)
django.setup()

from django.core.management import call_command  # noqa: E402
from push_notifications.models import GCMDevice  # noqa: E402


def make() -> None:
    """It uses the default app of firebase-admin."""


def send(_: None, token: str, text: str) -> str | None:
    return send_all(_, [token], text)[0]


def send_all(_: None, tokens: list[str], text: str) -> list[str | None]:
    GCMDevice.objects.all().delete()
    GCMDevice.objects.bulk_create(GCMDevice(registration_id=token) for token in tokens)
    batch = GCMDevice.objects.all().send_message(text)
    active = set(GCMDevice.objects.filter(active=True).values_list("registration_id", flat=True))
    return [
        answer.exception and name_of(answer.exception) + ("" if token in active else ", deactivated")
        for token, answer in zip(tokens, batch.responses)]


call_command("migrate", verbosity=0)
serve(make, send, send_all)
