"""The files and ids that a sender signs its pushes with."""
from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .errors import PushpitError


@dataclass(frozen=True)
class APNsCredentials:
    """A key for provider tokens. The topic of an app's alerts is its bundle id."""

    key: Path
    key_id: str
    team_id: str
    topic: str
    # Only valid for the topic com.example.app.
    client_certificate: Path

    @property
    def key_text(self) -> str:
        """The text of the .p8 file, which some clients want instead of its path."""
        return self.key.read_text(encoding="ascii")


@dataclass(frozen=True)
class FCMCredentials:
    """A service account. Its token URL is Google's."""

    project: str
    service_account: Path

    @property
    def account(self) -> dict[str, Any]:
        """The content of the file."""
        account: dict[str, Any] = json.loads(self.service_account.read_text(encoding="utf-8"))
        return account


@dataclass(frozen=True)
class Credentials:
    """What `pushpit.json` names."""

    ca: Path
    apns: APNsCredentials
    fcm: FCMCredentials

    @staticmethod
    def read(index: Path) -> Credentials:
        try:
            found = json.loads(index.read_text(encoding="utf-8"))
            apns, fcm = found["apns"], found["fcm"]
            return Credentials(
                Path(found["ca"]),
                APNsCredentials(
                    Path(apns["key"]), apns["keyId"], apns["teamId"], apns["topic"], Path(apns["clientCertificate"])),
                FCMCredentials(fcm["project"], Path(fcm["serviceAccount"])))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise PushpitError(f"{index} can't be read as the credentials of a gateway: {error!r}") from error

    @property
    def variables(self) -> dict[str, str]:
        """The environment variables in which senders look for them."""
        return {
            "PUSHPIT_CA": str(self.ca),
            "PUSHPIT_APNS_KEY": str(self.apns.key),
            "PUSHPIT_APNS_KEY_ID": self.apns.key_id,
            "PUSHPIT_APNS_TEAM_ID": self.apns.team_id,
            "PUSHPIT_APNS_TOPIC": self.apns.topic,
            "PUSHPIT_FCM_PROJECT": self.fcm.project,
            "GOOGLE_APPLICATION_CREDENTIALS": str(self.fcm.service_account),
            "GOOGLE_CLOUD_PROJECT": self.fcm.project,
        }

