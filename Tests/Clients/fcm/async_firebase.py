"""client: async-firebase
package: pypi:async-firebase
width: 100
set: see [fcm.md](fcm.md#which-client-what-to-set)
trap: Keeps its access token until it expires, also after 401: every message fails until you make a new client.
trap: Never repeats a message. Failures are in the result; nothing is raised.

accepted     | ok | 1
bad token    | InvalidArgumentError | 1
unregistered | UnregisteredError | 1
expired      | UnauthenticatedError; UnauthenticatedError; new client: ok | 4
too large    | InvalidArgumentError | 1
quota        | ResourceExhaustedError | 1
unavailable  | UnavailableError | 1
GOAWAY       | - | HTTP/1.1 has no GOAWAY
concurrent   | 500 ok | 501
topics       | ok; 1 shown | 1
"""
from async_firebase import AsyncFirebaseClient
from async_firebase.messages import Message, Notification

from program import ACCOUNT, serve


def make() -> AsyncFirebaseClient:
    client = AsyncFirebaseClient()
    client.creds_from_service_account_file(ACCOUNT)
    return client


def message(token: str, text: str) -> Message:
    return Message(token=token, notification=Notification(body=text))


async def send(client: AsyncFirebaseClient, token: str, text: str) -> str | None:
    answer = await client.send(message(token, text))
    return None if answer.success else type(answer.exception).__name__


async def send_all(client: AsyncFirebaseClient, tokens: list[str], text: str) -> list[str | None]:
    batch = await client.send_each([message(token, text) for token in tokens])
    return [None if answer.success else type(answer.exception).__name__ for answer in batch.responses]


async def use_topic(client: AsyncFirebaseClient, topic: str, token: str) -> str | None:
    before = await client.subscribe_to_topic([token], topic)
    answer = await client.send(Message(topic=topic, notification=Notification(body="Hello")))
    after = await client.unsubscribe_from_topic([token], topic)
    done = before.success_count, answer.success, after.success_count
    return None if done == (1, True, 1) else str(done)


serve(make, send, send_all, use_topic)
