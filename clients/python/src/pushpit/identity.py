"""A key, a Firebase project and a service account for one user of a gateway, who can expire them alone."""
from __future__ import annotations

import base64
import hashlib
import json
import os
import tempfile
import uuid
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable

from .errors import CallRefused

if TYPE_CHECKING:
    from .credentials import Credentials
    from .gateway import Gateway

# The token URL that Google writes into accounts.
TOKEN_URL = "https://oauth2.googleapis.com/token"
# The end of an account's email address. Before it comes the project.
ACCOUNT_DOMAIN = ".iam.gserviceaccount.com"


@dataclass(frozen=True)
class Identity:
    """What a sender signs in with: `credentials`, for every app of this user."""

    gateway: Gateway
    credentials: Credentials
    # The account's files are here.
    _folder: Path
    # The email address of an account that is used if the gateway has no room for another one.
    _last_resort: str
    # Whether all users of the name have the same key.
    _shares_key: bool
    # The account's email address. The gateway knows the account and its project by it.
    _email: str = ""

    @staticmethod
    def register(gateway: Gateway, name: str, folder: Path, project: str | None = None) -> Identity:
        """A key that no one else has, and an account. Without a project, it gets one that no one else has.

        The name is for a gateway that has no room for another key or account (1,000 at most). Then all users of this
        name share them, and expire those of each other.
        """
        digest = _id_of(hashlib.sha256(name.encode()).digest())
        common = gateway.credentials
        key_id = _first_accepted([_id_of(os.urandom(10)), digest], lambda id: gateway.call(
            "POST", "/credentials/apns-keys",
            {"keyId": id, "teamId": common.apns.team_id, "key": common.apns.key_text}))
        own = replace(common, apns=replace(common.apns, key_id=key_id))
        last_resort = f"sender@pushpit-{digest[:8].lower()}{ACCOUNT_DOMAIN}"
        return Identity(gateway, own, folder, last_resort, key_id == digest).with_project(project)

    def with_project(self, project: str | None = None) -> Identity:
        """The same key, and an account of another project. Without a name, the project is one that no one else has."""
        project = project or f"pushpit-{uuid.uuid4().hex[:8]}"
        account = self.gateway.credentials.fcm.account
        email = f"sender-{self.credentials.apns.key_id.lower()}@{project}{ACCOUNT_DOMAIN}"
        # Only `--auth strict` refuses an account of another project.
        email = _first_accepted([email, self._last_resort], lambda email: self.gateway.call(
            "POST", "/credentials/service-accounts", {**account, "client_email": email}))
        file = Path(tempfile.mkdtemp(prefix="account-", dir=self._folder), "service-account.json")
        file.write_text(json.dumps({
            **account, "client_email": email, "project_id": project, "token_uri": TOKEN_URL,
        }, indent=2), encoding="utf-8")
        own = replace(
            self.credentials, fcm=replace(self.credentials.fcm, project=project, service_account=file))
        return replace(self, credentials=own, _email=email)

    def remove(self) -> None:
        """The gateway forgets the key and the account, unless all users of the name share them."""
        try:
            if not self._shares_key:
                self._forget(f"apns-keys/{self.credentials.apns.key_id}")
        finally:
            self.remove_account()

    def remove_account(self) -> None:
        if self._email != self._last_resort:
            self._forget(f"service-accounts/{self._email}")

    def _forget(self, path: str) -> None:
        try:
            self.gateway.call("DELETE", f"/credentials/{path}")
        except CallRefused as error:
            # 404: somebody has removed it, or the gateway was started again.
            if error.status != 404:
                raise

    def expire(self) -> None:
        """Invalidates all its provider tokens and access tokens so far."""
        self.gateway.call("POST", "/credentials/expire", {
            "keyId": self.credentials.apns.key_id, "clientEmail": self._email,
        })


def _id_of(seed: bytes) -> str:
    return base64.b32encode(seed).decode()[:10]


def _first_accepted(names: list[str], add: Callable[[str], Any]) -> str:
    """Adds one of two names: the second if the gateway refuses the first."""
    try:
        add(names[0])
        return names[0]
    except CallRefused:
        add(names[1])
        return names[1]
