"""Names: snake_case in this package, camelCase in the control API. Errors of the gateway get the names of this package."""
from __future__ import annotations

import re
from typing import Any, Container, Mapping

# Words that the control API writes in capitals.
ACRONYMS = frozenset({"http"})
# What is inside these members has names of the user: header fields, JSON pointers, languages and their keys, activities.
USERS_OWN = frozenset({"headers", "body", "data", "texts", "updates"})

_HUMP = re.compile(r"(?<=[a-z0-9])[A-Z]+(?![a-z])|(?<=[a-zA-Z0-9])[A-Z](?=[a-z])")
# A name with a hump, but not "iPhone" and not the value in {"wire":"goawayIdle"}.
_NAME = re.compile(r"(?<!:\")\b[a-z]{2}[a-z0-9]*[A-Z]\w*")
_QUOTED = re.compile(r"'([^']*)'")
# From here on, an error shows a value, or lists values that are allowed.
_VALUES = re.compile(r"; it is |,? must be one of | is \"")
# The calls that take names return these codes.
_CODES = ("badField", "badQuery")
# A fault that was given by its name alone.
_WIRE = re.compile(r"^'wire' is ")
_REMEDIES = (
    (re.compile(r"'state' on the device socket, or PATCH /api/v1/devices/ID"), "phone.set_state(…)"),
    (re.compile(r"'launch' on the device socket, or POST /api/v1/devices/ID/act"), "phone.launch()"),
    (re.compile(r"PUT /api/v1/media"), "push_app.media(…)"),
    (re.compile(r"with DELETE /api/v1/faults"), "with its remove()"),
)


def camel(name: str) -> str:
    """`push_type` becomes `pushType`, `allows_http` becomes `allowsHTTP`, and `for_` becomes `for`."""
    first, *rest = name.rstrip("_").split("_")
    return first + "".join(word.upper() if word.lower() in ACRONYMS else word[:1].upper() + word[1:] for word in rest)


def snake(name: str) -> str:
    """`allowsHTTP` becomes `allows_http`."""
    return _HUMP.sub(lambda hump: f"_{hump[0].lower()}", name)


def camel_keys(values: Mapping[str, Any]) -> dict[str, Any]:
    """An object for the API, with everything that is inside it. Members that are None are left out."""
    return {
        camel(name): value if name in USERS_OWN else _camel_inside(value) for name, value in values.items()
        if value is not None}


def _camel_inside(value: Any) -> Any:
    if isinstance(value, Mapping):
        return camel_keys(value)
    return [_camel_inside(part) for part in value] if isinstance(value, (list, tuple)) else value


def remedy_here(remedy: str | None) -> str | None:
    for call, here in _REMEDIES:
        remedy = remedy and call.sub(here, remedy)
    return remedy


def refusal_here(text: str, pointer: str = "", code: str = _CODES[0], sent: Container[str] = ()) -> str:
    """The gateway's error with the names that a test can write. Values that were sent or are allowed stay as they are.

    `sent` has the names that were sent, as far as the pointer does not say which one is meant.
    """
    if _WIRE.match(text):
        return _WIRE.sub("The fault is ", text)
    member = pointer.rpartition("/")[2]
    subject = _QUOTED.search(text)
    is_about_names = not subject or subject[1] == member or (not pointer and subject[1] in sent)
    if code not in _CODES or not (is_about_names or " is not an effect" in text):
        return text
    values = _VALUES.search(text)
    end = values.start() if values else len(text)
    named = _NAME.sub(lambda name: snake(name[0]), text[:end])
    # The `for` of a fault, which can't be the name of an argument.
    return re.sub(r"(?<=')for(?=')|(?<=, )for(?=[,.])", "lasts", named) + text[end:]


def pointer_here(pointer: str) -> str:
    """A JSON pointer to a member that was sent, in the names of this package."""
    *parents, member = pointer.split("/")
    if not USERS_OWN.isdisjoint(parents):
        return pointer
    return "/lasts" if pointer == "/for" else "/".join(map(snake, [*parents, member]))
