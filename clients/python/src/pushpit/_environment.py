"""What the environment says about a gateway that runs already."""
from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from .errors import PushpitError

if TYPE_CHECKING:
    from ._api import Api

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


def credentials_index(api: Api) -> Path:
    """The file in PUSHPIT_CREDENTIALS, or the one in the directory PUSHPIT_CERTS, or else the one that the gateway names."""
    said, certificates = os.environ.get("PUSHPIT_CREDENTIALS"), os.environ.get("PUSHPIT_CERTS")
    index = Path(said) if said else Path(certificates or api.call("GET", "/credentials")["directory"], INDEX)
    if not index.exists():
        raise PushpitError(
            f"there are no credentials in {index}: set PUSHPIT_CREDENTIALS to the file {INDEX} of the gateway at {api.url}")
    return index


def keeps_messages() -> bool:
    """Whether the pushes of a test stay after it. `pushpit exec` asks for that, because its report has them."""
    return bool(os.environ.get("PUSHPIT_KEEP_MESSAGES"))


def is_inside_exec(url: str) -> bool:
    """Whether `pushpit exec` runs this process with the gateway at this URL. Its files are in a directory of its own."""
    folder = Path(os.environ.get("PUSHPIT_CREDENTIALS", "")).parent.name
    return folder.startswith("pushpit-exec-") and os.environ.get("PUSHPIT_URL") == url


def without_pushpit() -> dict[str, str]:
    """The environment without PUSHPIT_…: most of these variables are options of `pushpit`, for another gateway."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PUSHPIT_")}
