"""The gateway's own keys and accounts over the control API, and an account that is added while it runs."""
from __future__ import annotations


import requests
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from google.auth.transport.requests import Request
from google.oauth2 import service_account

from api_case import APICase


def pem(key: rsa.RSAPrivateKey) -> str:
    return key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()).decode()


class Credentials(APICase):
    arguments = ("--auth", "strict")

    def test_the_gateways_own_keys_and_accounts_are_listed(self) -> None:
        said, described = self.ask("GET", "/credentials"), self.gateway.description
        self.assertEqual((said["directory"], said["ca"]), (str(self.gateway.certificates), self.gateway.authority))
        self.assertEqual(said["apnsKeys"], [{"keyId": described["apns"]["keyId"], "teamId": described["apns"]["teamId"]}])
        self.assertIn("pushpit@pushpit-local.iam.gserviceaccount.com", said["serviceAccounts"])

    def test_an_added_account_gets_access_tokens(self) -> None:
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
