from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Settings:
    """What the service needs to sign its pushes."""

    apns_key: str
    apns_key_id: str
    apns_team_id: str
    apns_topic: str
    google_account: Path

    @staticmethod
    def from_environment() -> Settings:
        return Settings(
            apns_key=Path(os.environ["APNS_KEY_FILE"]).read_text(),
            apns_key_id=os.environ["APNS_KEY_ID"],
            apns_team_id=os.environ["APNS_TEAM_ID"],
            apns_topic=os.environ["APNS_TOPIC"],
            google_account=Path(os.environ["GOOGLE_APPLICATION_CREDENTIALS"]))
