"""Pushes to Android phones."""
from __future__ import annotations

import asyncio

import httpx2
from google.auth.transport.requests import Request
from google.oauth2.service_account import Credentials

from .push import Notice, Outcome, Sleep, with_retries
from .settings import Settings

HOST = "https://fcm.googleapis.com"
SCOPE = "https://www.googleapis.com/auth/firebase.messaging"


class FCM:
    def __init__(self, settings: Settings, http: httpx2.AsyncClient, sleep: Sleep) -> None:
        self._credentials = Credentials.from_service_account_file(settings.google_account, scopes=[SCOPE])
        self._http = http
        self._sleep = sleep
        self._renewal = asyncio.Lock()

    async def send(self, token: str, notice: Notice) -> Outcome:
        answer = await with_retries(lambda: self._post(token, notice), self._sleep)
        if answer.status_code == 401:
            self._credentials.token = None
            answer = await with_retries(lambda: self._post(token, notice), self._sleep)
        # 404 has several causes; only UNREGISTERED says that the token is dead.
        if answer.status_code == 404 and "UNREGISTERED" in answer.text:
            return Outcome.GONE
        return Outcome.ACCEPTED if answer.status_code == 200 else Outcome.FAILED

    async def _post(self, token: str, notice: Notice) -> httpx2.Response:
        notification = {"title": notice.title, "body": notice.body}
        if notice.image:
            notification["image"] = notice.image
        message = {"token": token, "notification": notification, "android": {"priority": "high"}}
        return await self._http.post(
            f"{HOST}/v1/projects/{self._credentials.project_id}/messages:send", json={"message": message},
            headers={"authorization": f"Bearer {await self._access_token()}"})

    async def _access_token(self) -> str:
        async with self._renewal:
            if not self._credentials.valid:
                await asyncio.to_thread(self._credentials.refresh, Request())
        return self._credentials.token
