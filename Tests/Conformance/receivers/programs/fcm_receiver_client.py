"""An app that receives with fcm-receiver, also what is sent to the topic `news`. Prints JSON lines.

Its credentials and the ids of the messages that it has are in the file that the first argument names, so that it is the
same client after a restart. It reads one command from its input, `unsubscribe`, which ends the topic.

The package prints from several threads, so its lines could begin in the middle of ours: they go to standard error.
"""
import json
import sys
from pathlib import Path

from fcm_receiver import FCMClient

KEPT = ("android_id", "security_token", "gcm_token", "fcm_token", "persistent_ids")
lines, sys.stdout = sys.stdout, sys.stderr


def say(key: str, value: object) -> None:
    print(json.dumps({key: value}), file=lines, flush=True)


def save() -> None:
    file.write_text(json.dumps({"keys": keys} | {name: getattr(client, name) for name in KEPT}))


def receive(message: dict[str, object], app: str) -> None:
    save()
    say("message", message["payload"])


file = Path(sys.argv[1])
client = FCMClient()
client.project_id, client.api_key, client.app_id = "shop", "key", "1:900000000000:web:a1b2c3"
client.on_notification_message = receive
if file.exists():
    saved = json.loads(file.read_text())
    keys = saved["keys"]
    client.load_keys(*keys)
    for name in KEPT:
        setattr(client, name, saved[name])
else:
    keys = client.create_new_keys()
    client.register()
    client.subscribe_to_topic("news")
    save()
client.start_listening()
say("token", client.fcm_token)
for line in sys.stdin:
    client.unsubscribe_from_topic("news")
    say(line.strip(), True)
