"""Sends with firebase-admin to the token that is the first argument, as a backend does that does not know of Pushpit.

Prints what became of each message: the name of the exception, or null.
"""
import json
import sys
from typing import Any

import firebase_admin
from firebase_admin import messaging

token = sys.argv[1]
firebase_admin.initialize_app()


def said(error: Exception | None) -> str | None:
    return error and type(error).__name__


def send(**members: Any) -> str | None:
    try:
        messaging.send(messaging.Message(**members))
    except firebase_admin.exceptions.FirebaseError as error:
        return said(error)
    return None


def for_web(title: str) -> messaging.WebpushConfig:
    return messaging.WebpushConfig(
        {"TTL": "60"}, {"for": "web"}, messaging.WebpushNotification(title, "Is ready", tag="meal"),
        messaging.WebpushFCMOptions("https://shop.example/lunch"))


rows = [send(token=token, data={"text": "send"})]
many = [messaging.Message(token=one, data={"text": "send_each"}) for one in (token, "unregistered:" + token)]
rows += [said(answer.exception) for answer in messaging.send_each(many).responses]
rows.append(send(token=token, webpush=for_web("Lunch")))
rows.append(send(token=token, data={"text": "x" * 5000}))
added = messaging.subscribe_to_topic([token], "meals").success_count
rows.append(send(topic="meals", data={"text": "topic"}))
removed = messaging.unsubscribe_from_topic([token], "meals").success_count
rows.append(send(topic="meals", data={"text": "unsubscribed"}))
rows.append(send(token=token, data={"text": "last"}))
print(json.dumps({"errors": rows, "topics": [added, removed]}))
