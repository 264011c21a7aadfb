"""Pushpit for Python: a push service for tests.

`Gateway` starts a gateway or uses one that runs; with pytest, the fixtures `pushpit` and `push_app` do that.
"""
from .app import PushApp
from .clock import Clock
from .credentials import APNsCredentials, Credentials, FCMCredentials
from .device import Device
from .errors import CallRefused, ExpectationFailed, NoFrame, PushpitError, SharedGateway, SocketClosed, UnusedFault
from .faults import Fault, answer
from .gateway import Gateway
from .messages import Action, Event, Finding, Message, Notification

__version__ = "0.1.0"

__all__ = [
    "APNsCredentials", "Action", "CallRefused", "Clock", "Credentials", "Device", "Event", "ExpectationFailed",
    "FCMCredentials", "Fault", "Finding", "Gateway", "Message", "NoFrame", "Notification", "PushApp", "PushpitError",
    "SharedGateway", "SocketClosed", "UnusedFault", "answer",
]
