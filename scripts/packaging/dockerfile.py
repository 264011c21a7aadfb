"""Reads what the last stage of a Dockerfile says about running the image, as the image's configuration has it."""

import json
import re
import shlex

CONTINUED = re.compile(r"\\\n\s*")
UNITS = {"ms": 10**6, "s": 10**9, "m": 60 * 10**9}


def configuration(text: str) -> dict[str, object]:
    """The member `config` of the image's configuration. An instruction that it does not know is an error."""
    config: dict[str, object] = {"Env": ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"]}
    for name, value in last_stage(text):
        match name:
            case "ENV": config["Env"] = [*config["Env"], *shlex.split(value)]
            case "LABEL": config["Labels"] = dict(pair.split("=", 1) for pair in shlex.split(value))
            case "EXPOSE": config["ExposedPorts"] = {port: {} for port in value.split()}
            case "USER": config["User"] = value
            case "ENTRYPOINT": config["Entrypoint"] = json.loads(value)
            case "CMD": config["Cmd"] = json.loads(value)
            case "HEALTHCHECK": config["Healthcheck"] = health_check(value)
            case "RUN" | "COPY": pass
            case _: raise ValueError(f"dockerfile.py does not know the instruction {name}")
    return config


def last_stage(text: str) -> list[tuple[str, str]]:
    """The instructions after the last FROM."""
    lines = "\n".join(line for line in text.splitlines() if line.strip() and not line.startswith("#"))
    instructions = [tuple(line.split(maxsplit=1)) for line in CONTINUED.sub(" ", lines).splitlines()]
    return instructions[max(index for index, row in enumerate(instructions) if row[0] == "FROM") + 1:]


def health_check(value: str) -> dict[str, object]:
    options, command = value.split("CMD", 1)
    times = dict(re.findall(r"--([a-z-]+)=(\S+)", options))
    names = {"interval": "Interval", "timeout": "Timeout", "start-period": "StartPeriod"}
    return {"Test": ["CMD", *json.loads(command)]} | {names[name]: nanoseconds(time) for name, time in times.items()}


def nanoseconds(text: str) -> int:
    number, unit = re.fullmatch(r"(\d+)([a-z]+)", text).groups()
    return int(number) * UNITS[unit]
