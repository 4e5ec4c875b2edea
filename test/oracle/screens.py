"""Views that screens read: parts of a return, capitalisation, illiquidity, residual volatility, foreigners, z-scores."""

import math
from collections import defaultdict
from statistics import fmean, stdev

from compare import Recomputation
from facts import kind_of
from factors import NAMES, pick, turnover
from instruments import Validity
from prices import quotient
from published import Home, Row
from windows import LONGEST_STEP, SHORT, YEAR, Sessions, index_levels


def overnight_return(factors: list[Row], summaries: dict) -> list[Row]:
    rows = []
    for factor in factors:
        summary = summaries.get((factor["symbol"], factor["trading_date"]))
        if factor["close"] is None or summary is None:
            continue
        traded = (summary["total_match"] or 0) > 0 and (summary["open"] or 0) > 0
        row = pick(factor, "board", "ref_price", "close") | {"open": summary["open"] if traded else None}
        overnight, intraday = quotient(row["open"], row["ref_price"]), quotient(row["close"], row["open"])
        whole = factor["close_return_1"]
        row["overnight_return"] = overnight - 1 if overnight is not None else None
        row["intraday_return"] = intraday - 1 if intraday is not None else None
        known = intraday is not None and whole is not None
        row["close_overnight_return"] = (1 + whole) / intraday - 1 if known else None
        rows.append(row)
    return rows


def market_cap(factors: list[Row], shares: Validity) -> list[Row]:
    rows = []
    for factor in factors:
        symbol, day = factor["symbol"], factor["trading_date"]
        valid = shares.at(symbol, day)
        if valid is None:
            continue
        earlier = [other["listed_share"] for other in shares.of_symbol[symbol] if other["valid_to"] < valid["valid_from"]]
        listed, before = valid["listed_share"], earlier[-1] if earlier else None
        rows.append(
            pick(factor, "board", "close")
            | {
                "listed_share": listed,
                "listed_share_from": valid["reported_from"],
                "is_listed_share_known": valid["reported_from"] is not None and valid["reported_from"] <= day,
                "market_cap": float(factor["close"]) * listed if factor["close"] is not None else None,
                "listed_share_before": before,
                "listed_share_change": listed / before - 1 if before else None,
            }
        )
    return rows


def sessions_of(rows: list[Row]) -> list[Sessions]:
    grouped = defaultdict(list)
    for row in rows:
        grouped[row["symbol"]].append(row)
    return [Sessions(sorted(own, key=lambda row: row["trading_date"])) for own in grouped.values()]


def illiquidity(factors: list[Row], summaries: dict) -> list[Row]:
    rows = []
    for factor in factors:
        summary = summaries.get((factor["symbol"], factor["trading_date"]))
        if factor["close"] is None or summary is None:
            continue
        value = summary["total_match_value"]
        row = pick(factor, "close_return_1") | {"total_match_value": value, "illiquidity_1": None}
        if (summary["total_match"] or 0) > 0 and (value or 0) > 0 and row["close_return_1"] is not None:
            row["illiquidity_1"] = abs(row["close_return_1"]) * 1e9 / float(value)
        rows.append(row)
    for sessions in sessions_of(rows):
        for place, row in enumerate(sessions.rows):
            for length in (20, 60):
                window = sessions.window(place, SHORT, length)
                ratios = [other["illiquidity_1"] for other in window if other["illiquidity_1"] is not None]
                row[f"sessions_{length}"] = len(ratios)
                row[f"illiquidity_{length}"] = fmean(ratios) if len(ratios) >= length * 3 // 4 else None
    return rows


def idiosyncratic_volatility(home: Home, factors: list[Row]) -> list[Row]:
    levels = index_levels(home)
    rows = []
    for sessions in sessions_of([row for row in factors if row["close"] is not None]):
        before = None
        for row in sessions.rows:
            level = levels.get(("VNINDEX", row["trading_date"]))
            earlier = levels.get(("VNINDEX", before["trading_date"])) if before else None
            is_near = before and (row["trading_date"] - before["trading_date"]).days <= LONGEST_STEP
            if level:
                result = pick(row)
                usable = is_near and earlier and row["close_return_1"] is not None
                result["pair"] = (row["close_return_1"], level / earlier - 1) if usable else None
                rows.append(result)
            before = row
    for sessions in sessions_of(rows):
        for place, row in enumerate(sessions.rows):
            pairs = [other["pair"] for other in sessions.window(place, SHORT, 60) if other["pair"]]
            row["pairs_60"] = len(pairs)
            row |= market_model(pairs) if len(pairs) >= 45 else dict.fromkeys(MODEL)
    for row in rows:
        del row["pair"]
    return rows


MODEL = ("beta_60", "volatility_60", "idiosyncratic_volatility_60", "explained_share_60")


def market_model(pairs: list[tuple[float, float]]) -> Row:
    """By the residuals themselves, not by what is left of the variance."""
    own, index = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    own_mean, index_mean = fmean(own), fmean(index)
    squares = math.fsum((x - own_mean) ** 2 for x in own)
    both = math.fsum((x - own_mean) * (y - index_mean) for x, y in pairs)
    beta = both / math.fsum((y - index_mean) ** 2 for y in index)
    residuals = math.fsum((x - own_mean - beta * (y - index_mean)) ** 2 for x, y in pairs)
    return {
        "beta_60": beta,
        "volatility_60": stdev(own) * math.sqrt(YEAR),
        "idiosyncratic_volatility_60": math.sqrt(residuals / (len(pairs) - 2) * YEAR),
        "explained_share_60": 1 - residuals / squares if squares > 0 else None,
    }


def foreign_ownership(home: Home, shares: Validity) -> list[Row]:
    rows = []
    for symbol, days in home.by_symbol("market.daily_summary").items():
        own = []
        for day in days:
            room, left = day["total_foreign_room"], day["remain_foreign_room"]
            bought, sold = day["total_foreign_buy"], day["total_foreign_sell"]
            valid = shares.at(symbol, day["trading_date"])
            row = pick(day, "total_foreign_room", "remain_foreign_room")
            row["foreign_share"] = room - left if (room or 0) > 0 and left is not None else None
            row["listed_share"] = valid["listed_share"] if valid else None
            row["foreign_ownership"] = quotient(row["foreign_share"], row["listed_share"])
            idle = 0 if not day["total_match"] and not day["total_deal"] else None
            row["net_volume"] = bought - sold if None not in (bought, sold) else idle
            own.append(row)
        for place, row in enumerate(own):
            for length in (1, 5, 20):
                earlier = own[place - length] if place >= length else None
                if earlier and (row["trading_date"] - earlier["trading_date"]).days > SHORT:
                    earlier = None
                row[f"foreign_ownership_change_{length}"] = less(row, earlier, "foreign_ownership")
                if length == 1:
                    row["session_before"] = earlier["trading_date"] if earlier else None
                    row["foreign_share_change"] = less(row, earlier, "foreign_share")
            known = None not in (row["foreign_share_change"], row["net_volume"])
            row["unexplained_change"] = row["foreign_share_change"] - row["net_volume"] if known else None
        rows += own
    return rows


def less(row: Row, earlier: Row | None, name: str):
    return row[name] - earlier[name] if earlier and None not in (row[name], earlier[name]) else None


def factor_score(factors: list[Row], shares: Validity) -> list[Row]:
    values = defaultdict(dict)
    for row in factors:
        if row["close"] is None or kind_of(row["symbol"]) != "stock":
            continue
        for name, value in scored(row, shares).items():
            if value is not None:
                values[row["trading_date"], name][row["symbol"]] = value
    rows = []
    for (day, name), by_symbol in values.items():
        ordered = sorted(by_symbol.values())
        lowest, highest = percentile(ordered, 0.01), percentile(ordered, 0.99)
        winsorised = {symbol: min(max(value, lowest), highest) for symbol, value in by_symbol.items()}
        enough = len(ordered) >= 20 and lowest < highest
        mean, deviation = (fmean(winsorised.values()), stdev(winsorised.values())) if enough else (0, 0)
        rows += [
            {
                **{"symbol": symbol, "trading_date": day, "factor": name, "value": value},
                "winsorised_value": winsorised[symbol],
                "z_score": (winsorised[symbol] - mean) / deviation if enough else None,
                "stocks": len(ordered),
            }
            for symbol, value in by_symbol.items()
        ]
    return rows


def scored(row: Row, shares: Validity) -> Row:
    valid = shares.at(row["symbol"], row["trading_date"])
    value, flow = row["mean_value_20"], row["foreign_net_value_20"]
    year, month = row["return_250"], row["return_20"]
    traded = None if value is None else 20 * (float(value) + float(row["mean_deal_value_20"] or 0))
    return {
        "size": math.log(float(row["close"]) * valid["listed_share"]) if valid else None,
        "return_1": row["return_1"],
        "return_20": month,
        "momentum": (1 + year) / (1 + month) - 1 if None not in (year, month) and month != -1 else None,
        "from_high_52w": row["from_high_52w"],
        "volatility": row["close_volatility_60"],
        "beta": row["beta_vnindex_250"],
        "liquidity": math.log(value) if value else None,
        "turnover": turnover(row, shares),
        "foreign_flow": quotient(flow, traded) if flow is not None else None,
    }


def percentile(ordered: list[float], share: float) -> float:
    place = share * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def board_transfer(home: Home) -> list[Row]:
    lists = defaultdict(list)
    for row in home.table("market.security_history"):
        if row["board"]:
            lists[row["symbol"]].append((row["valid_from"], row["board"].upper()))
    rows = []
    for symbol, boards in lists.items():
        boards.sort()
        moves = [(later[0], earlier[1], later[1]) for earlier, later in zip(boards, boards[1:]) if earlier[1] != later[1]]
        limits = home.by_symbol("market.price_limit").get(symbol, [])
        for place, (day, former, new) in enumerate(moves):
            begins = moves[place - 1][0] if place else None
            ends = moves[place + 1][0] if place + 1 < len(moves) else None
            within = [
                (row["exchange"].upper(), row["trading_date"])
                for row in limits
                if (begins is None or row["trading_date"] >= begins) and (ends is None or row["trading_date"] < ends)
            ]
            rows.append(
                {
                    **{"symbol": symbol, "kind": kind_of(symbol), "from_board": former, "to_board": new},
                    "listed_from": day,
                    "last_session_on_former_board": max((at for board, at in within if board == former), default=None),
                    "first_session_on_new_board": min((at for board, at in within if board == new), default=None),
                }
            )
    return rows


def warrant_greeks(home: Home, rate: float = 0.04) -> list[Row]:
    lists = defaultdict(list)
    for row in home.table("market.security_history"):
        lists[row["symbol"]].append(row)
    summaries = {(row["symbol"], row["trading_date"]): row for row in home.table("market.daily_summary")}
    named = {symbol for symbol, rows in lists.items() if any(row["cw_underlying_symbol"] for row in rows)}
    rows = []
    for (symbol, day), summary in summaries.items():
        if kind_of(symbol) != "covered_warrant" and symbol not in named:
            continue
        history = sorted(lists[symbol], key=lambda row: row["valid_from"])
        terms = next((row for row in reversed(history) if row["valid_from"] <= day), history[0] if history else None)
        if terms is None or not terms["cw_underlying_symbol"]:
            terms = defaultdict(lambda: None)
        share = summaries.get((terms["cw_underlying_symbol"], day), {}).get("close")
        first, _, second = (terms["cw_execution_ratio"] or "").partition(":")
        rows.append(
            {
                **{"symbol": symbol, "trading_date": day, "underlying": terms["cw_underlying_symbol"] or None},
                **{"close": summary["close"] or None, "underlying_close": share or None, "rate": rate},
                "exercise_price": terms["cw_exercise_price"] or None,
                "exercise_ratio": float(first) / float(second or 1) if first else None,
                "terms_valid_from": terms["valid_from"],
                "maturity_date": terms["maturity_date"],
            }
        )
        rows[-1] |= greeks(rows[-1])
    return rows


def greeks(row: Row) -> Row:
    days = (row["maturity_date"] - row["trading_date"]).days if row["maturity_date"] else None
    result = {"days_to_maturity": days}
    result |= dict.fromkeys(("implied_volatility", "share_delta", "delta", "effective_gearing"))
    given = [row[name] for name in ("close", "underlying_close", "exercise_price", "exercise_ratio")]
    if None in given or (days or 0) <= 0:
        return result
    close, spot, exercise, ratio = map(float, given)
    years = days / 365
    discounted = exercise * math.exp(-row["rate"] * years)

    def call(volatility: float) -> tuple[float, float]:
        deviation = volatility * math.sqrt(years)
        d1 = math.log(spot / discounted) / deviation + deviation / 2
        return spot * normal(d1) - discounted * normal(d1 - deviation), normal(d1)

    if not max(spot - discounted, 0) < close * ratio < call(5)[0]:
        return result
    low, high = 0.0, 5.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if call(middle)[0] < close * ratio else (low, middle)
    delta = call(high)[1]
    gearing = spot / (ratio * close) * delta
    result |= {"implied_volatility": high, "share_delta": delta, "delta": delta / ratio, "effective_gearing": gearing}
    return result


def normal(value: float) -> float:
    return math.erfc(-value / math.sqrt(2)) / 2


def views(home: Home, factors: list[Row], shares: Validity) -> list[Recomputation]:
    summaries = {(row["symbol"], row["trading_date"]): row for row in home.table("market.daily_summary")}
    # Returns are whole numbers of 1e-15 logarithms in the view; a fit has no more digits than its variances.
    model = dict.fromkeys(MODEL, 1e-9)
    score, scores = (*NAMES, "factor"), factor_score(factors, shares)
    betas = [row for row in scores if row["factor"] == "beta"]
    others = [row for row in scores if row["factor"] != "beta"]
    return [
        Recomputation("mart.overnight_return", NAMES, overnight_return(factors, summaries)),
        Recomputation("mart.market_cap", NAMES, market_cap(factors, shares)),
        Recomputation("mart.illiquidity", NAMES, illiquidity(factors, summaries)),
        Recomputation("mart.idiosyncratic_volatility", NAMES, idiosyncratic_volatility(home, factors), model),
        Recomputation("mart.foreign_ownership", NAMES, foreign_ownership(home, shares)),
        Recomputation("mart.factor_score WHERE factor <> 'beta'", score, others, {"z_score": 1e-9}),
        # As LINES of factors.py: returns in steps of 1e-12.
        Recomputation(
            "mart.factor_score WHERE factor = 'beta'",
            score,
            betas,
            {"z_score": 1e-9, "value": 1e-10, "winsorised_value": 1e-10},
        ),
        Recomputation("mart.board_transfer", ("symbol", "listed_from"), board_transfer(home)),
        # Far in or out of the money, prices to 1e-14 decide no more digits of a volatility.
        Recomputation("mart.warrant_greeks", NAMES, warrant_greeks(home), {"implied_volatility": 1e-7}),
    ]
