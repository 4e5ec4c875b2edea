"""Logs in, places an order and reads the book with a client that is generated from the sandbox's document alone."""
import sys

from brokerage_client import AuthenticatedClient, Client
from brokerage_client.api.conditional_orders import place_conditional_order
from brokerage_client.api.orders import order_book, place_order
from brokerage_client.api.signing_in import token
from brokerage_client.models import (
    NewOrder,
    NewOrderOrderType,
    NewOrderSide,
    NewStop,
    NewStopOperator,
    NewStopSide,
    NewStopType,
    TokenRequest,
)

url, api_key, api_secret, otp = sys.argv[1:]
json = {"content-type": "application/json"}
login = token.sync(
    client=Client(base_url=url, headers=json),
    body=TokenRequest(api_key=api_key, api_secret=api_secret, otp=otp),
)
client = AuthenticatedClient(base_url=url, token=login.access_token, headers=json)
account = "0881234561"
placed = place_order.sync(
    client=client,
    x_signature="sha256=00ff",
    body=NewOrder(
        account_no=account,
        symbol="FPT",
        side=NewOrderSide.B,
        order_type=NewOrderOrderType.LO,
        quantity=100,
        price="13000",
        device_id="00:1B:44:11:3A:B7",
    ),
)
conditional = place_conditional_order.sync(
    client=client,
    x_signature="sha256=00ff",
    body=NewStop(
        type_=NewStopType.STOP,
        account_no=account,
        device_id="00:1B:44:11:3A:B7",
        symbol="FPT",
        side=NewStopSide.S,
        quantity=100,
        stop_price=12500,
        operator=NewStopOperator.LESSER_OR_EQUAL,
    ),
)
book = order_book.sync(client=client, account_no=account, from_="2025-11-20")
[order] = [each for each in book.data.order_list if each.order_id == placed.order_id]
assert order.price == "13000", order
print(f"{order.order_id} {order.order_status}, conditional order {conditional.fco_id}")
