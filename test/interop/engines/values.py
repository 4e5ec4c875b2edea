"""Values as probes write them → Python's."""

from datetime import date, datetime, timedelta, timezone
from decimal import Decimal

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def value_of(kind, text):
    if text is None:
        return None
    match kind:
        case "integer":
            return int(text)
        case "decimal":
            return Decimal(text)
        case "double":
            return float(text)
        case "boolean":
            return text == "1"
        case "date":
            return date(1970, 1, 1) + timedelta(days=int(text))
        case "instant":
            return EPOCH + timedelta(microseconds=int(text))
        case _:
            return text
