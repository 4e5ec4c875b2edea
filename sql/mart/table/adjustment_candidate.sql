-- grain: one row per symbol and session from first_day to last_day whose reference price can be compared with its basis
-- Basis: what the exchange sets the next reference price from where nothing happens: the close before (HOSE, HNX,
-- warrants), the weighted average before, rounded to the tick of 100 VND (UPCOM; which way is not published, so a
-- reference less than one tick away is no candidate), the settlement price before (futures). A basis older than 45 days
-- is none: the exchange sets a new one after long halts (25 idle sessions).
-- market_wide: at least five symbols and a tenth of those that can be compared differ on one day. That is a fault of the
-- source, not corporate actions (field notes, section 2).
CREATE OR REPLACE MACRO mart.adjustment_candidate(first_day, last_day) AS TABLE
WITH summary AS (
  SELECT symbol, trading_date, close, average, settlement_price
  FROM market.daily_summary
  WHERE trading_date BETWEEN CAST(first_day AS DATE) - 45 AND CAST(last_day AS DATE)
), compared AS (
  SELECT band.symbol, band.trading_date AS ex_date, band.ref_price,
    CASE
      WHEN mart.instrument_kind(band.symbol, NULL) = 'future' THEN 'settlement'
      WHEN upper(band.exchange) = 'UPCOM' THEN 'average'
      ELSE 'close'
    END AS basis_kind,
    CASE basis_kind
      WHEN 'settlement' THEN before.settlement_price
      WHEN 'average' THEN CAST(round(before.average / 100) * 100 AS DECIMAL(18,6))
      ELSE before.close
    END AS previous_basis,
    before.average AS previous_average
  FROM market.price_limit band
  ASOF JOIN summary before ON before.symbol = band.symbol AND band.trading_date > before.trading_date
  WHERE band.trading_date BETWEEN CAST(first_day AS DATE) AND CAST(last_day AS DATE)
    AND band.trading_date - before.trading_date <= 45
), judged AS (
  SELECT *,
    CASE WHEN basis_kind = 'average' THEN abs(ref_price - previous_average) >= 100 ELSE ref_price <> previous_basis END AS differs
  FROM compared
  WHERE previous_basis > 0 AND ref_price > 0
)
SELECT symbol, ex_date, previous_basis, ref_price,
  CAST(ref_price AS DOUBLE) / CAST(previous_basis AS DOUBLE) AS factor,
  basis_kind, differs,
  count_if(differs) OVER (PARTITION BY ex_date) >= 5
    AND count_if(differs) OVER (PARTITION BY ex_date) * 10 > count(*) OVER (PARTITION BY ex_date) AS market_wide
FROM judged;
