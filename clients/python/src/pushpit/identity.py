"""A key, a Firebase project and a service account for one user of a gateway, who can expire them alone."""
from __future__ import annotations

import base64
import hashlib
import json
import uuid
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from .errors import CallRefused

if TYPE_CHECKING:
    from .credentials import Credentials
    from .gateway import Gateway

# The token URL that Google writes into accounts.
TOKEN_URL = "https://oauth2.googleapis.com/token"


@dataclass(frozen=True)
class Identity:
    """What a sender signs in with: `credentials`, for every app of this user."""

    gateway: Gateway
    credentials: Credentials
    # The project in the account's email address. The gateway knows the account by it.
    _account_project: str

    @staticmethod
    def register(gateway: Gateway, name: str, folder: Path, project: str | None = None) -> Identity:
        """The account is a new file in the folder. Without a project, it gets one that no one else has.

        The same name always gives the same key id, so the keys of a long-running gateway do not grow in number.
        """
        digest = base64.b32encode(hashlib.sha256(name.encode()).digest()).decode()
        key_id, project = digest[:10], project or f"pushpit-{uuid.uuid4().hex[:8]}"
        common = gateway.credentials
        gateway.call("POST", "/credentials/apns-keys", {
            "keyId": key_id, "teamId": common.apns.team_id, "key": common.apns.key_text})
        try:
            known_as = project
            email = _add_account(gateway, known_as)
        except CallRefused:
            # The gateway has no room for another account (1,000 at most). So use one account for each name, with a
            # project of its own. Only `--auth strict` refuses an account of another project.
            known_as = f"pushpit-{digest[:8].lower()}"
            email = _add_account(gateway, known_as)
        file = folder / "service-account.json"
        file.write_text(json.dumps({
            **common.fcm.account, "client_email": email, "project_id": project, "token_uri": TOKEN_URL,
        }, indent=2), encoding="utf-8")
        own = replace(
            common, apns=replace(common.apns, key_id=key_id),
            fcm=replace(common.fcm, project=project, service_account=file))
        return Identity(gateway, own, known_as)

    def expire(self) -> None:
        """Invalidates all its provider tokens and access tokens so far."""
        self.gateway.call(
            "POST", "/credentials/expire", {"keyId": self.credentials.apns.key_id, "project": self._account_project})


def _add_account(gateway: Gateway, project: str) -> str:
    email = f"sender@{project}.iam.gserviceaccount.com"
    gateway.call("POST", "/credentials/service-accounts", {**gateway.credentials.fcm.account, "client_email": email})
    return email
