"""Keys and accounts over the control API: shown without what is secret, and added while the gateway runs."""
from __future__ import annotations

import unittest

import requests
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from google.auth.transport.requests import Request
from google.oauth2 import service_account

from api_case import APICase
from test_control import pem


class Credentials(APICase):
    arguments = ("--auth", "strict")

    def test_they_are_shown_without_what_is_secret(self) -> None:
        said, described = self.ask("GET", "/credentials"), self.gateway.description
        self.assertEqual((said["directory"], said["ca"]), (str(self.gateway.certificates), self.gateway.authority))
        self.assertEqual(said["apnsKeys"], [{"keyId": described["apns"]["keyId"], "teamId": described["apns"]["teamId"]}])
        self.assertIn("pushpit@pushpit-local.iam.gserviceaccount.com", said["serviceAccounts"])
        key = {"keyId": "ZBCDE12345", "teamId": "TEAM567890", "environment": "sandbox", "topics": ["a", "b"], "related": "ABCDE12345"}
        self.assertEqual(self.ask("POST", "/credentials/apns-keys", key | {"key": pem(ec.generate_private_key(ec.SECP256R1()))}, 201), key)
        self.assertIn(key, self.ask("GET", "/credentials")["apnsKeys"])
        self.assertEqual(set(self.ask("GET", "/credentials")), {"directory", "ca", "apnsKeys", "serviceAccounts"})

    def test_an_account_that_was_added_signs_in(self) -> None:
        account = {"type": "service_account", "project_id": "shop", "private_key_id": "1", "private_key": pem(rsa.generate_private_key(65537, 2048)),
                   "client_email": "sender@shop.iam.gserviceaccount.com", "token_uri": self.gateway.at().url("/token")}
        session = self.enterContext(requests.Session())
        session.verify, session.trust_env = self.gateway.authority, False
        credentials = service_account.Credentials.from_service_account_info(account, scopes=["https://www.googleapis.com/auth/firebase.messaging"])
        with self.assertRaisesRegex(Exception, "account not found"):
            credentials.refresh(Request(session))
        self.assertEqual(self.ask("POST", "/credentials/service-accounts", account, 201), {"clientEmail": account["client_email"]})
        self.assertIn(account["client_email"], self.ask("GET", "/credentials")["serviceAccounts"])
        credentials.refresh(Request(session))
        self.assertEqual(self.google.send("shop", headers={"authorization": f"Bearer {credentials.token}"}, topic="t").status_code, 200)

    def test_what_is_no_account(self) -> None:
        whole = {"client_email": "a@b", "private_key": pem(rsa.generate_private_key(65537, 2048))}
        for body, pointer in [([], ""), ({}, "/client_email"), (whole | {"client_email": ""}, "/client_email"), (whole | {"client_email": 7}, "/client_email"), ({"client_email": "a@b"}, "/private_key"),
                              (whole | {"private_key": "x"}, "/private_key")]:
            self.assertEqual(self.problem("POST", "/credentials/service-accounts", body), ("badField", pointer), pointer)
        self.problem("POST", "/credentials", whole, 405)
        self.assertNotIn("a@b", self.ask("GET", "/credentials")["serviceAccounts"])

    def test_an_account_signs_by_rsa(self) -> None:
        account = {"client_email": "ec@b", "private_key": pem(ec.generate_private_key(ec.SECP256R1()))}
        self.assertEqual(self.problem("POST", "/credentials/service-accounts", account), ("badField", "/private_key"))


if __name__ == "__main__":
    unittest.main()
