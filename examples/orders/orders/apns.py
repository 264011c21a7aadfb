"""Pushes to iPhones."""
from __future__ import annotations

import time

import httpx2
import jwt

from .push import Notice, Outcome, Sleep, with_retries
from .settings import Settings

HOST = "https://api.push.apple.com"
# Apple wants a new token at least once an hour, and at most every 20 minutes.
TOKEN_AGE = 40 * 60


class APNs:
    def __init__(self, settings: Settings, http: httpx2.AsyncClient, sleep: Sleep) -> None:
        self._settings = settings
        self._http = http
        self._sleep = sleep
        self._token = ""
        self._signed = 0.0

    async def send(self, token: str, notice: Notice) -> Outcome:
        answer = await with_retries(lambda: self._post(token, notice), self._sleep)
        if answer.status_code == 403 and answer.json()["reason"] == "ExpiredProviderToken":
            self._token = ""
            answer = await with_retries(lambda: self._post(token, notice), self._sleep)
        if answer.status_code == 410:
            return Outcome.GONE
        return Outcome.ACCEPTED if answer.status_code == 200 else Outcome.FAILED

    async def _post(self, token: str, notice: Notice) -> httpx2.Response:
        payload: dict[str, object] = {
            "aps": {"alert": {"title": notice.title, "body": notice.body}, "sound": "default", "mutable-content": 1}}
        if notice.image:
            # Where Firebase's notification service extension, which our app uses, looks for it.
            payload["fcm_options"] = {"image": notice.image}
        return await self._http.post(
            f"{HOST}/3/device/{token}", json=payload,
            headers={
                "authorization": f"bearer {self._provider_token()}", "apns-topic": self._settings.apns_topic,
                "apns-push-type": "alert", "apns-priority": "10"})

    def _provider_token(self) -> str:
        now = time.time()
        if not self._token or now - self._signed > TOKEN_AGE:
            claims = {"iss": self._settings.apns_team_id, "iat": int(now)}
            self._token = jwt.encode(
                claims, self._settings.apns_key, "ES256", headers={"kid": self._settings.apns_key_id})
            self._signed = now
        return self._token
