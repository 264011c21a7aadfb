"""Bearers and cookies of messages to FCM are not in the log. That the control API does not show them is tested in Swift."""
from __future__ import annotations


from api_case import APICase


class LoggedSecrets(APICase):
    arguments = ("--log-level", "debug")

    def test_no_secret_is_logged(self) -> None:
        for bearer in ("Bearer s3cret", "bearer s3cret", "Basic s3cret", "s3cret"):
            self.google.send(headers={"authorization": bearer, "cookie": "a=s3cret"}, topic="t")
        for query in ("?access_token=s3cret", "?prettyPrint=true&oauth_token=s3cret", "?key=s3cret", "?%61ccess_token=s3cret"):
            self.google.send(query=query, headers={}, topic="t")
        self.assertEqual(len(self.ids()), 8)
        self.gateway.wait_for_log(' p8    FCM  ')
        self.assertEqual(self.gateway.log.count("s3cret"), 0)
