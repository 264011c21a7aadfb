"""A key and service accounts for one user of a gateway, who can expire them without disturbing others."""
from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from .credentials import Credentials
from .errors import CallRefused

if TYPE_CHECKING:
    from .gateway import Gateway

# The token URL that Google writes into accounts.
TOKEN_URL = "https://oauth2.googleapis.com/token"


@dataclass(frozen=True)
class Identity:
    """The key has an id, and the account a project, that no one else uses."""

    gateway: Gateway
    key_id: str
    project: str

    @staticmethod
    def register(gateway: Gateway, name: str) -> Identity:
        """The same name gives the same ids, so a gateway that runs for long does not collect keys."""
        digest = base64.b32encode(hashlib.sha256(name.encode()).digest()).decode()
        identity = Identity(gateway, digest[:10], f"pushpit-{digest[:8].lower()}")
        apns = gateway.credentials.apns
        gateway.call("POST", "/credentials/apns-keys", {
            "keyId": identity.key_id, "teamId": apns.team_id, "key": apns.key_text})
        identity._add_account(identity.project)
        return identity

    def _add_account(self, project: str) -> str:
        email = f"sender@{project}.iam.gserviceaccount.com"
        account = self.gateway.credentials.fcm.account
        self.gateway.call("POST", "/credentials/service-accounts", {**account, "client_email": email})
        return email

    def credentials(self, topic: str, project: str, folder: Path) -> tuple[Credentials, str]:
        """For an app and a project, and the project of the account, which is a new file in the folder.

        A gateway has at most 1,000 accounts. Then the one of this user is used, which only `--auth strict` refuses.
        """
        try:
            email, of_account = self._add_account(project), project
        except CallRefused:
            email, of_account = self._add_account(self.project), self.project
        common = self.gateway.credentials
        file = folder / "service-account.json"
        file.write_text(json.dumps({
            **common.fcm.account, "client_email": email, "project_id": project, "token_uri": TOKEN_URL,
        }, indent=2), encoding="utf-8")
        return replace(
            common, apns=replace(common.apns, key_id=self.key_id, topic=topic),
            fcm=replace(common.fcm, project=project, service_account=file)), of_account

    def expire(self, project: str) -> None:
        """Invalidates all provider tokens so far, and the access tokens of the project's accounts."""
        self.gateway.call("POST", "/credentials/expire", {"keyId": self.key_id, "project": project})
