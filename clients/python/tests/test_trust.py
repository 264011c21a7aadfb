from __future__ import annotations

import os
import ssl
from pathlib import Path

import certifi
import pytest

from pushpit._redirection import trust
from pushpit._redirection.trust import NAMES, trusting, usual_bundle

AUTHORITY = Path(__file__).with_name("other-ca.pem")


@pytest.fixture(autouse=True)
def no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)


def test_a_bundle_has_the_authority_and_the_ones_that_are_trusted_anyway(tmp_path: Path) -> None:
    variables = trusting(AUTHORITY, tmp_path)
    assert set(variables) == set(NAMES) and len(set(variables.values())) == 1
    text = Path(variables["SSL_CERT_FILE"]).read_text()
    assert text.count("BEGIN CERTIFICATE") == Path(usual_bundle()).read_text().count("BEGIN CERTIFICATE") + 1
    ssl.create_default_context(cafile=variables["SSL_CERT_FILE"])


def test_a_bundle_that_is_set_is_extended_and_stays_if_it_has_the_authority(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    private = tmp_path / "private.pem"
    private.write_text(Path(usual_bundle()).read_text()[:2000])
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(private))
    monkeypatch.setenv("SSL_CERT_FILE", str(AUTHORITY))
    variables = trusting(AUTHORITY, tmp_path)
    assert "SSL_CERT_FILE" not in variables
    assert Path(variables["REQUESTS_CA_BUNDLE"]).read_text() == f"{private.read_text()}\n{AUTHORITY.read_text()}"
    assert variables["CURL_CA_BUNDLE"] != variables["REQUESTS_CA_BUNDLE"]


def test_without_a_system_bundle_the_one_of_certifi_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trust, "SYSTEM", ())
    monkeypatch.setattr(ssl, "get_default_verify_paths", lambda: _Nothing())
    assert usual_bundle() == certifi.where()
    monkeypatch.setitem(__import__("sys").modules, "certifi", None)
    assert usual_bundle() == ""
    assert Path(trusting(AUTHORITY, tmp_path)["SSL_CERT_FILE"]).read_text() == AUTHORITY.read_text()
    assert "SSL_CERT_FILE" not in os.environ


class _Nothing:
    cafile = None
