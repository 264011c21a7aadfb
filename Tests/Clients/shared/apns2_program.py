"""The program of clients that install the package apns2: its forks have the same interface."""
from apns2.client import APNsClient, Notification
from apns2.credentials import TokenCredentials
from apns2.payload import Payload

from program import KEY, KEY_ID, TEAM_ID, TOPIC


def make() -> APNsClient:
    return APNsClient(TokenCredentials(KEY, KEY_ID, TEAM_ID))


def send(client: APNsClient, token: str, text: str) -> None:
    client.send_notification(token, Payload(alert=text), topic=TOPIC)


def send_all(client: APNsClient, tokens: list[str], text: str) -> list[str]:
    results = client.send_notification_batch([Notification(token, Payload(alert=text)) for token in tokens], topic=TOPIC)
    return ["ok" if results[token] == "Success" else str(results[token]) for token in tokens]
