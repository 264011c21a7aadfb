"""What the environment says about a gateway that runs already."""
from __future__ import annotations

import os
from pathlib import Path

from .errors import PushpitError

# The file that names the credentials.
INDEX = "pushpit.json"


def api_token() -> str | None:
    """The token in PUSHPIT_API_TOKEN, or in the file that PUSHPIT_API_TOKEN_FILE names."""
    token, file = os.environ.get("PUSHPIT_API_TOKEN"), os.environ.get("PUSHPIT_API_TOKEN_FILE")
    if token or not file:
        return token or None
    try:
        return Path(file).read_text(encoding="utf-8").strip()
    except OSError as error:
        raise PushpitError(f"PUSHPIT_API_TOKEN_FILE names '{file}', which can't be read: {error.strerror}") from error


def credentials_index() -> Path | None:
    """The file in PUSHPIT_CREDENTIALS, or the one in the directory PUSHPIT_CERTS."""
    index, certificates = os.environ.get("PUSHPIT_CREDENTIALS"), os.environ.get("PUSHPIT_CERTS")
    return Path(index) if index else Path(certificates, INDEX) if certificates else None


def is_inside_exec(url: str) -> bool:
    """Whether `pushpit exec` runs this process with the gateway at this URL. Its files are in a directory of its own."""
    folder = Path(os.environ.get("PUSHPIT_CREDENTIALS", "")).parent.name
    return folder.startswith("pushpit-exec-") and os.environ.get("PUSHPIT_URL") == url


def without_pushpit() -> dict[str, str]:
    """The environment without PUSHPIT_…: most of these variables are options of `pushpit`, for another gateway."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PUSHPIT_")}
