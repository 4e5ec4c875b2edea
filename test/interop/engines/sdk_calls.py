"""Every call of the public Python SDK of this API, unchanged, against one service; a JSON line each: call, whether it works, what came."""

import inspect
import json
import os
import sys
import urllib.request

import ssi_sdk
from ssi_sdk.enums.fco import FCOOperator
from ssi_sdk.enums.market_data import Board
from ssi_sdk.enums.timeframe import Timeframe
from ssi_sdk.enums.trading import OrderSide, OrderType

URL = os.environ["SERVICE_URL"]
CASH, DERIVATIVE = os.environ["CASH_ACCOUNT"], os.environ["DERIVATIVE_ACCOUNT"]
SYMBOL, INDEX, DAY, FROM = "FPT", "VN30", "2025/11/19", "2025/11/10"
VALID = ("2025/11/20 10:00:00", "2025/11/21 10:00:00")

auth = ssi_sdk.Auth(
    api_url=URL,
    api_key=os.environ["API_KEY"],
    api_secret=os.environ["API_SECRET"],
    private_key=os.environ["PRIVATE_KEY"],
    max_retries=1,
    log_level="CRITICAL",
)
called = set()


def call(service, name, *args, least=1, **kwargs):
    """Calls it once. It works when it gives at least so many rows: an answer that is read as nothing is none."""
    called.add((type(service).__name__, name))
    shown = f"{type(service).__name__}.{name}"
    try:
        result = getattr(service, name)(*args, **kwargs)
        if inspect.isgenerator(result):
            result = list(result)
    except Exception as error:  # noqa: BLE001  every kind of failure is a row of the table
        say(shown, False, f"{type(error).__name__}: {error}"[:200])
        return None
    size = len(result) if isinstance(result, (list, dict)) else 1 if result is not None else 0
    say(shown, size >= least, f"{size} rows")
    return result


def say(shown, works, detail):
    print(json.dumps({"call": shown, "works": works, "detail": detail}))


def move(seconds):
    """Moves the clock of the sandbox: orders need a moment to reach the exchange."""
    body = json.dumps({"byMs": seconds * 1000}).encode()
    request = urllib.request.Request(f"{URL}/sandbox/clock", body, {"content-type": "application/json"})
    urllib.request.urlopen(request).read()


call(auth, "request_otp")
call(auth, "request_otp_typed")
call(auth, "authenticate", otp=os.environ["OTP"])
call(auth, "refresh")
call(auth, "ensure_authenticated")
call(auth, "set_token", auth.token, least=0)

desk = ssi_sdk.Trading(auth)
trading, portfolio = desk.trading, desk.portfolio
# The day begins in the opening auction.
call(trading, "place_ato_order", CASH, SYMBOL, OrderSide.BUY, 100)
move(3_600)

market = ssi_sdk.Data(auth).market_data
for frame in ("1minute", "3minute", "5minute", "15minute", "1hour"):
    # These ask for today: the day of the sandbox is past.
    call(market, f"get_ohlc_{frame}", SYMBOL, least=0)
for frame in ("1minute", "3minute", "5minute", "15minute", "1hour", "1day", "1week", "1month"):
    call(market, f"get_ohlc_{frame}_historical", SYMBOL, FROM, DAY)
call(market, "get_ohlc_all", SYMBOL, Timeframe("1d"), FROM, DAY)
call(market, "iter_ohlc", SYMBOL, Timeframe("1d"), FROM, DAY)
call(market, "download_ohlc_1minute", SYMBOL)
call(market, "download_ohlc_1day", SYMBOL)
call(market, "get_indexes")
call(market, "get_indexes_by_board", Board.HOSE)
call(market, "get_index_summary", INDEX)
call(market, "get_index_summary_historical", INDEX, DAY)
call(market, "get_board_summary", Board.HOSE)
call(market, "get_board_summary_historical", Board.HOSE, DAY)
call(market, "get_securities_info", SYMBOL)
call(market, "get_securities_info_by_index", INDEX)
call(market, "get_securities_info_by_board", Board.HNX)
call(market, "get_securities_summary", SYMBOL, least=0)
call(market, "get_securities_summary_historical", SYMBOL, FROM, DAY)
call(market, "get_securities_summary_by_index", INDEX, least=0)
call(market, "get_securities_summary_by_index_historical", INDEX, DAY, DAY)
call(market, "get_master_data", least=0)
call(market, "get_master_data_historical", DAY, DAY)
call(market, "get_corporate_actions")
call(market, "get_corporate_actions_historical", "2025/11/17", DAY)

call(desk.account, "get_account_info")
call(portfolio, "get_equity_balance", CASH)
call(portfolio, "get_derivative_balance", DERIVATIVE)
call(portfolio, "get_today_orders", CASH, least=0)
call(portfolio, "get_historical_orders", CASH, FROM, DAY)
call(portfolio, "get_equity_positions", CASH)
call(portfolio, "get_derivative_positions", DERIVATIVE)
call(portfolio, "get_open_derivative_positions", DERIVATIVE)
call(portfolio, "get_closed_derivative_positions", DERIVATIVE, least=0)
call(portfolio, "get_equity_ppmmr", CASH)
call(portfolio, "get_derivative_ppmmr", DERIVATIVE)

limits = {row.symbol: row for row in market.get_master_data_historical(DAY, DAY)}
FLOOR, CEILING = (float(str(getattr(limits[SYMBOL], name)).replace(",", "")) for name in ("floor", "ceiling"))
call(trading, "get_max_buy_sell", CASH, SYMBOL, FLOOR)
call(trading, "get_max_buy_sell_at_market_price", CASH, SYMBOL)
side = OrderSide.BUY
for number, name in enumerate(("modify_order_price", "modify_order_quantity")):
    own = f"own{number}"
    call(trading, "place_limit_order", CASH, SYMBOL, side, 100, FLOOR, own)
    move(1)
    call(trading, name, CASH, own, FLOOR + 100 if name.endswith("price") else 200)
    move(1)
    call(trading, "cancel_order", CASH, own)
    placed = call(trading, "place_order", CASH, SYMBOL, side, 100, FLOOR, OrderType.LO)
    move(1)
    order_id = getattr(placed, "order_id", "")
    call(trading, f"{name}_by_order_id", CASH, order_id, FLOOR + 100 if name.endswith("price") else 200)
    move(1)
    call(trading, "cancel_order_by_order_id", CASH, order_id)
call(trading, "place_market_order", CASH, SYMBOL, side, 100)
call(trading, "place_atc_order", CASH, SYMBOL, side, 100)
batch = {"account_no": CASH, "symbol": SYMBOL, "side": side, "order_type": OrderType.LO, "quantity": 100, "price": FLOOR}
call(trading, "place_batch_orders", [batch])
call(trading, "cancel_batch_orders", [{"account_no": CASH, "order_id": "1"}])

operator = list(FCOOperator)[0]
placed = [
    call(trading, "place_fco_gtd", CASH, SYMBOL, side, 100, FLOOR, 0, *VALID),
    call(trading, "place_fco_stop", CASH, SYMBOL, side, 100, CEILING * 2, operator, *VALID),
    call(trading, "place_fco_stop_limit", CASH, SYMBOL, side, 100, FLOOR, 0, CEILING * 2, operator, *VALID),
    call(trading, "place_fco_trailing_stop", CASH, SYMBOL, OrderSide.SELL, 100, CEILING * 3, 100, *VALID),
    call(trading, "place_fco_trailing_stop_limit", CASH, SYMBOL, OrderSide.SELL, 100, CEILING * 3, 100, 0, *VALID),
    call(trading, "place_fco_oco", CASH, SYMBOL, OrderSide.SELL, 100, CEILING * 2, FLOOR / 2, CEILING, FLOOR, 0, 0, *VALID),
    call(trading, "place_fco_bull_bear", CASH, SYMBOL, side, 100, FLOOR, 0, CEILING * 2, FLOOR / 2, CEILING, FLOOR, 0, 0, *VALID),
]
fco_id = next((row.fco_id for row in placed if getattr(row, "fco_id", None)), "none")
call(trading, "get_fco_by_account_no", CASH)
call(trading, "get_fco_by_symbol", CASH, SYMBOL)
call(trading, "get_fco_by_status", CASH, "INIT")
call(trading, "get_fco_by_date", CASH, "2025/11/20", "2025/11/20")
call(trading, "get_fco_by_id", CASH, fco_id)
call(trading, "get_fco_order_book", fco_id)
call(trading, "get_fco_status_history", fco_id)
call(trading, "cancel_fco", fco_id)

# A call that the SDK has and this program does not make would be missing in the table without a word.
for service in (market, portfolio, trading, desk.account):
    for name, _ in inspect.getmembers(type(service), inspect.isfunction):
        if not name.startswith("_") and (type(service).__name__, name) not in called:
            say(f"{type(service).__name__}.{name}", False, "not called by this program")
sys.exit(0)
