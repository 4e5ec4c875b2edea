"""moto on a port of loopback: moto_server.py PORT

With one thread: moto looks whether an object is there and writes it in two steps, and moto_server has a thread per request. Of
1,000 races of two conditional writes there, up to 3 had two winners.
"""

import sys

from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from moto.server import MotoRequestHandler
from werkzeug.serving import run_simple

run_simple(
    "127.0.0.1",
    int(sys.argv[1]),
    DomainDispatcherApplication(create_backend_app),
    request_handler=MotoRequestHandler,
)
