"""A key and a service account for one user of a gateway, who can expire them without disturbing others."""
from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from .credentials import Credentials

if TYPE_CHECKING:
    from .gateway import Gateway

# The token URL that Google writes into accounts.
TOKEN_URL = "https://oauth2.googleapis.com/token"


@dataclass(frozen=True)
class Identity:
    """The key has an id that no one else uses, and the account a project."""

    gateway: Gateway
    key_id: str
    project: str

    @staticmethod
    def register(gateway: Gateway, name: str) -> Identity:
        """The same name gives the same ids, so a gateway that runs for long does not collect keys."""
        digest = base64.b32encode(hashlib.sha256(name.encode()).digest()).decode()
        identity = Identity(gateway, digest[:10], f"pushpit-{digest[:8].lower()}")
        apns, fcm = gateway.credentials.apns, gateway.credentials.fcm
        gateway.call("POST", "/credentials/apns-keys", {
            "keyId": identity.key_id, "teamId": apns.team_id, "key": apns.key_text})
        gateway.call("POST", "/credentials/service-accounts", {**fcm.account, "client_email": identity.email})
        return identity

    @property
    def email(self) -> str:
        return f"sender@{self.project}.iam.gserviceaccount.com"

    def credentials(self, topic: str, project: str, folder: Path) -> Credentials:
        """For an app and a project. The account is a new file in the folder."""
        common = self.gateway.credentials
        file = folder / "service-account.json"
        account = {
            **common.fcm.account, "client_email": self.email, "project_id": project, "token_uri": TOKEN_URL}
        file.write_text(json.dumps(account, indent=2), encoding="utf-8")
        return replace(
            common, apns=replace(common.apns, key_id=self.key_id, topic=topic),
            fcm=replace(common.fcm, project=project, service_account=file))

    def expire(self) -> None:
        """Invalidates all provider tokens and access tokens so far."""
        self.gateway.call("POST", "/credentials/expire", {"keyId": self.key_id, "project": self.project})
