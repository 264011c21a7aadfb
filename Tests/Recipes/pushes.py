"""Pushes that are refused: for mistakes of the sender, and for reasons that every backend has to handle."""
from __future__ import annotations

from recipe import Recipe

TOKEN = "a1b2c3d4" * 8
APNS = "curl -sS --http2 --cert \"$PUSHPIT_APNS_CERT\" -H 'apns-topic: com.example.app' -d '{\"aps\":{\"alert\":\"Hello\"}}' https://api.push.apple.com/3/device/"
FCM = Recipe.read("README").files["send.sh"]


def apns(token: str = TOKEN, old: str = "", new: str = "") -> str:
    """A push to Apple, with one change."""
    assert old in APNS, old
    return APNS.replace(old, new, 1) + f"{token:0<64}\n"


def fcm(old: str, new: str) -> str:
    """A message to Google, with one change."""
    assert old in FCM, old
    return FCM.replace(old, new, 1)


# Each refusal, and a push that gets it. The tokens that begin with a name or with dead0 are magic ones (docs/faults.md).
MISTAKES = {
    "apns 403 MissingProviderToken": apns(old='--cert "$PUSHPIT_APNS_CERT"'),
    "apns 403 InvalidProviderToken": apns(old='--cert "$PUSHPIT_APNS_CERT"', new="-H 'authorization: bearer any'"),
    "apns 403 ExpiredProviderToken": apns("dead040303"),
    "apns 400 BadDeviceToken": apns(f"x{TOKEN}"),
    "apns 400 TopicDisallowed": apns(old="com.example.app", new="com.example.other"),
    "apns 400 PayloadEmpty": apns(old='{"aps":{"alert":"Hello"}}'),
    "apns 404 BadPath": apns(old="/3/device/", new="/3/devices/"),
    "apns 405 MethodNotAllowed": apns(old="curl", new="curl -X PUT"),
    "apns 413 PayloadTooLarge": apns(old="Hello", new="x" * 5000),
    "apns 429 TooManyProviderTokenUpdates": apns("dead042901"),
    "fcm 401 UNAUTHENTICATED": fcm("-H 'authorization: Bearer any'", ""),
    "fcm 400 INVALID_ARGUMENT": fcm('"Welcome"', "[]"),
    "fcm 403 SENDER_ID_MISMATCH": fcm('"topic":"news"', '"token":"sender-id-mismatch:APA91b"'),
    "fcm 401 THIRD_PARTY_AUTH_ERROR": fcm('"topic":"news"', '"token":"third-party-auth-error:APA91b"'),
    "fcm 404 None": fcm("/v1/projects/$PUSHPIT_FCM_PROJECT/messages:send", "/fcm/send"),
}
NORMAL = {
    "apns 410 Unregistered": apns("dead041000"),
    "apns 410 ExpiredToken": apns("dead041001"),
    "apns 429 TooManyRequests": apns("dead042900"),
    "apns 500 InternalServerError": apns("dead050000"),
    "apns 503 ServiceUnavailable": apns("dead050300"),
    "apns 503 Shutdown": "curl -sS --fail \"$PUSHPIT_URL/api/v1/faults\" -d '{\"match\":{\"provider\":\"apns\"},\"effect\":{\"answer\":"
    "{\"status\":503,\"reason\":\"Shutdown\"}}}' || exit 9\n" + apns(),
    **{f"fcm {answer}": fcm('"topic":"news"', f'"token":"{name}:APA91b"') for answer, name in (
        ("404 UNREGISTERED", "unregistered"), ("429 QUOTA_EXCEEDED", "quota-exceeded"), ("500 INTERNAL", "internal"), ("503 UNAVAILABLE", "unavailable"))},
}
