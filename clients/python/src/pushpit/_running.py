"""A gateway that this process starts, or one that runs already, and what senders need to reach it."""
from __future__ import annotations

import os
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Iterator, Mapping, Sequence

from ._api import Api
from ._environment import api_token as given_token, credentials_index, is_inside_exec
from ._program import RunningProgram, token_in, variables_for
from ._redirection import pushes_led_to
from .credentials import Credentials
from .errors import CallRefused, PushpitError, hides_frames

if TYPE_CHECKING:
    from typing_extensions import Self

__tracebackhide__ = hides_frames


class RunningGateway:
    """Runs until its `with` block ends, if it was started here."""

    def __init__(self, *, url: str | None = None, options: Sequence[str] = (), api_token: str | None = None) -> None:
        if url and options:
            raise PushpitError("options configure a gateway that is started, so they can't be used with a url")
        named = None if url or options else os.environ.get("PUSHPIT_URL") or None
        url = url or named
        # Whether others may use the gateway too. One that was started here belongs to this process alone.
        self.is_shared = url is not None
        token = api_token or (given_token() if url else token_in(options))
        self._program = None if url else RunningProgram(options)
        try:
            self._api = Api(url or self._started_url(), token, os.environ.get("PUSHPIT_CA") if url else None)
            self.call("GET", "/stats")
        except (PushpitError, ValueError) as error:
            self.close()
            # A refusal with a code is that of a gateway.
            if not named or isinstance(error, CallRefused) and error.code:
                raise
            if "CERTIFICATE_VERIFY_FAILED" in str(error.__cause__ or error):
                raise PushpitError(
                    f"PUSHPIT_URL names {named}, and its certificate is not trusted: begin the URL with http://, or set "
                    "PUSHPIT_CA to the path of the gateway's ca.pem.") from None
            raise PushpitError(
                f"PUSHPIT_URL names {named}, but no gateway answers there: {error.__cause__ or error}. Start one there, or "
                "unset PUSHPIT_URL: then the tests start one.") from None
        except BaseException:
            self.close()
            raise

    def _started_url(self) -> str:
        assert self._program
        port = self._program.description["listeners"][0]["url"].rpartition(":")[2]
        return f"http://127.0.0.1:{port}"

    def close(self) -> None:
        """Ends the gateway if it was started here."""
        if self._program:
            self._program.stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Gateway {self.url}{', shared' if self.is_shared else ''}>"

    @property
    def url(self) -> str:
        """For the control API and the gateway's pages. If it begins with http://, no certificate is needed."""
        return self._api.url

    @property
    def push_url(self) -> str:
        """For senders that can be given another host. They have to trust `credentials.ca`."""
        host = "localhost" if self._api.host == "127.0.0.1" else self._api.host
        return f"https://{f'[{host}]' if ':' in host else host}:{self.port}"

    @property
    def host(self) -> str:
        return self._api.host

    @property
    def port(self) -> int:
        return self._api.port

    @property
    def token(self) -> str | None:
        """The bearer token of the control API."""
        return self._api.token

    @property
    def directory(self) -> Path | None:
        """The directory of its files, if it was started here. It is removed with the gateway."""
        return self._program.folder if self._program else None

    @property
    def log(self) -> str:
        """What a gateway that was started here has logged; "" for others."""
        return self._program.log if self._program else ""

    @cached_property
    def credentials(self) -> Credentials:
        """What a sender needs. For a gateway that was not started here, PUSHPIT_CREDENTIALS, PUSHPIT_CERTS, or else the
        gateway itself says where it is.
        """
        if self._program:
            return Credentials.read(Path(self._program.description["credentials"]))
        return Credentials.read(credentials_index(self._api))

    @cached_property
    def environment(self) -> dict[str, str]:
        """The variables that lead other programs to the gateway, as `pushpit env` prints them.

        Under `pushpit exec` there are none, because all programs are led to it.
        """
        if self.is_shared and is_inside_exec(self.url):
            return {}
        return variables_for(self.url, self.credentials.ca.parent, self._api.token)

    @contextmanager
    def redirect(self) -> Iterator[Self]:
        """During the `with` block, pushes that this process sends to Apple and Google reach the gateway.

        Connections for the push hosts go to the gateway, and the environment has the credentials and the authority.
        """
        with pushes_led_to(self):
            yield self

    def call(self, method: str, path: str, body: Any = None, query: Mapping[str, Any] | None = None) -> Any:
        """Any call of the control API: `gateway.call("GET", "/stats")`. Returns the JSON of the answer."""
        return self._api.call(method, path, body, query=query, is_raw=True)
