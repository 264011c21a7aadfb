"""The service. Start it with `uvicorn --factory orders.app:create_app`."""
from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Literal

import httpx2
from fastapi import BackgroundTasks, FastAPI
from pydantic import BaseModel

from .apns import APNs
from .fcm import FCM
from .push import Notice, Outcome, Sleep
from .settings import Settings


class Phone(BaseModel, frozen=True):
    customer: str
    platform: Literal["ios", "android"]
    token: str


class Order(BaseModel):
    customer: str
    item: str
    image: str | None = None


def create_app(settings: Settings | None = None, sleep: Sleep = asyncio.sleep) -> FastAPI:
    phones: set[Phone] = set()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        used = settings or Settings.from_environment()
        async with httpx2.AsyncClient(http2=True, timeout=30) as http:
            senders["ios"], senders["android"] = APNs(used, http, sleep), FCM(used, http, sleep)
            yield

    app = FastAPI(lifespan=lifespan)
    senders: dict[str, APNs | FCM] = {}

    async def notify(customer: str, notice: Notice) -> None:
        wanted = [phone for phone in phones if phone.customer == customer]
        outcomes = await asyncio.gather(*(senders[phone.platform].send(phone.token, notice) for phone in wanted))
        phones.difference_update(
            phone for phone, outcome in zip(wanted, outcomes) if outcome is Outcome.GONE)

    @app.post("/phones", status_code=201)
    def add_phone(phone: Phone) -> None:
        phones.add(phone)

    @app.get("/phones/{customer}")
    def list_phones(customer: str) -> list[Phone]:
        return [phone for phone in phones if phone.customer == customer]

    @app.post("/orders", status_code=202)
    def order(order: Order, background: BackgroundTasks) -> None:
        notice = Notice("Your order is ready", f"Fetch your {order.item} at the counter.", order.image)
        background.add_task(notify, order.customer, notice)

    return app
