"""A check for schemathesis: what the document allows is refused only for a reason that a schema cannot express."""
import re

import schemathesis
from schemathesis.generation.modes import GenerationMode

# What the header x-sandbox-problem says of such requests: relations between fields, and names that this market does not have.
REASONS = re.compile(
    "is before from|one of them|is unknown|is not an account of this key|expected the six digits|"
    "is not a conditional order of this key|candles begin at|that exists"
)


@schemathesis.check
def refusal_has_a_reason(ctx, response, case):
    generation = case.meta.generation if case.meta else None
    if response.status_code != 400 or generation is None or generation.mode != GenerationMode.POSITIVE:
        return
    body = response.json()
    problem = (response.headers.get("x-sandbox-problem") or [""])[0]
    if body["msg"] == "Invalid request" and not REASONS.search(problem):
        raise AssertionError(f"the document allows what is refused as: {problem or body}")


@schemathesis.hook
def filter_case(ctx, case):
    """An empty parameter counts as absent (allowEmptyValue, which schemathesis does not read): it breaks no schema."""
    generation = case.meta.generation if case.meta else None
    if generation is None or generation.mode != GenerationMode.NEGATIVE:
        return True
    return not any(value == "" for value in (case.query or {}).values())
