"""An app that receives with firebase-messaging. Prints a JSON line for its token and for each message.

Its credentials are in the file that the first argument names, so that it is the same client after a restart.
"""
import asyncio
import json
import sys
from pathlib import Path

from firebase_messaging import FcmPushClient, FcmRegisterConfig


def say(key: str, value: object) -> None:
    print(json.dumps({key: value}), flush=True)


async def main(file: Path) -> None:
    client = FcmPushClient(
        lambda message, persistent_id, context=None: say("message", message),
        FcmRegisterConfig("shop", "1:900000000000:web:a1b2c3", "key", "900000000000"),
        json.loads(file.read_text()) if file.exists() else None,
        lambda credentials: file.write_text(json.dumps(credentials)))
    say("token", await client.checkin_or_register())
    await client.start()
    await asyncio.Event().wait()


asyncio.run(main(Path(sys.argv[1])))
