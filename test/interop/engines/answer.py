"""A question a line on stdin, an answer a line on stdout."""

import json
import os
import sys


def serve(name, answer):
    """Says its name, then answers until stdin ends. Only answers reach stdout, whatever libraries print."""
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    print(json.dumps({"engine": name}), file=out, flush=True)
    for line in sys.stdin:
        try:
            said = answer(json.loads(line))
        except Exception as problem:
            said = {"error": f"{type(problem).__name__}: {problem}"}
        print(json.dumps(said), file=out, flush=True)


def text(value):
    """A value as text, exact; Arrow's scalars say whether they are null."""
    value = value.as_py() if hasattr(value, "as_py") else value
    return None if value is None else str(value)
