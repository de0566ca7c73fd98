"""What Python's email package reads in each message file named on standard input: a line of JSON for each."""

import hashlib
import json
import sys
from datetime import timezone
from email import message_from_binary_file, policy


def addresses(message, name):
    return [
        [address.display_name, address.addr_spec]
        for value in message.get_all(name, [])
        for address in value.addresses
    ]


def date(message):
    value = message["date"]
    moment = None if value is None else value.datetime
    if moment is None:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=timezone.utc)
    return int(moment.timestamp()) * 1000


def leaves(part):
    """The parts that hold something; a nested message stays whole."""
    if part.is_multipart() and part.get_content_maintype() == "multipart":
        for child in part.iter_parts():
            yield from leaves(child)
    else:
        yield part


def is_text(part):
    return part.get_content_type() == "text/plain" and not part.is_attachment() and not part.get_filename()


def is_body(part):
    is_html = part.get_content_type() == "text/html" and not part.is_attachment() and not part.get_filename()
    return is_text(part) or is_html


def text(message):
    parts = [part.get_content() for part in leaves(message) if is_text(part)]
    return "\n".join(parts) if parts else None


def attachments(message):
    return [
        hashlib.sha256(part.get_payload(decode=True)).hexdigest()
        for part in leaves(message)
        if not part.is_multipart() and not is_body(part)
    ]


def reading(read, message):
    """What was read, or nothing where this package cannot read it."""
    try:
        return read(message)
    except Exception:
        return None


READINGS = {
    "from": lambda message: addresses(message, "from"),
    "subject": lambda message: str(message["subject"] or ""),
    "date": date,
    "text": text,
    "attachments": attachments,
}

for path in sys.stdin.read().splitlines():
    with open(path, "rb") as file:
        parsed = message_from_binary_file(file, policy=policy.default)
    print(json.dumps({name: reading(read, parsed) for name, read in READINGS.items()}))
