"""An app that receives with fcm-receiver, also what is sent to the topic `news`. Prints JSON lines.

The package prints from several threads, so its lines could begin in the middle of ours: they go to standard error.
"""
import json
import sys
import threading

from fcm_receiver import FCMClient


lines, sys.stdout = sys.stdout, sys.stderr


def say(key: str, value: object) -> None:
    print(json.dumps({key: value}), file=lines, flush=True)


client = FCMClient()
client.project_id, client.api_key, client.app_id = "shop", "key", "1:900000000000:web:a1b2c3"
client.on_notification_message = lambda message, app: say("message", message["payload"])
client.create_new_keys()
token, *_ = client.register()
client.subscribe_to_topic("news")
client.start_listening()
say("token", token)
threading.Event().wait()
