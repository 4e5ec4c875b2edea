-- grain: one row per corporate action record of the pages being loaded; reason is null if it is valid
-- A reason names the line of the user's file and what to write. A withdrawn row needs its key alone.
-- reads: page_record
-- writes: typed_record
CREATE OR REPLACE TEMP TABLE typed_record AS
WITH typed AS (
  SELECT
    request_id, ordinal, received_at, r,
    nullif(trim(r.symbol), '') AS symbol,
    parse_day(r.exDate) AS ex_date,
    nullif(replace(lower(trim(r.kind)), ' ', '_'), '') AS kind,
    kind IN ('cash_dividend', 'stock_dividend', 'bonus', 'rights', 'split', 'consolidation') AS is_known_kind,
    parse_ratio(r.ratio) AS ratio,
    parse_price(r.amount) AS amount,
    parse_price(r.price) AS price,
    CASE WHEN coalesce(r.isWithdrawn, '') = '' THEN false ELSE parse_flag(r.isWithdrawn) END AS is_withdrawn,
    coalesce(r.ratio, '') <> '' AS has_ratio, coalesce(r.amount, '') <> '' AS has_amount,
    coalesce(r.price, '') <> '' AS has_price
  FROM page_record
), checked AS (
  SELECT *, nullif(concat_ws('; ',
    missing('symbol', symbol),
    CASE WHEN coalesce(r.exDate, '') = '' THEN 'ex_date is missing: write a day like 2025-03-14' END,
    unread('ex_date', r.exDate, ex_date, 'a date: write it like 2025-03-14'),
    CASE WHEN kind IS NULL THEN 'kind is missing: write cash_dividend, stock_dividend, bonus, rights, '
      || 'split or consolidation' END,
    CASE WHEN NOT is_known_kind
      THEN 'kind: ''' || left(r.kind, 40) || ''' is not known: write cash_dividend, stock_dividend, bonus, '
        || 'rights, split or consolidation' END,
    unread('ratio', r.ratio, ratio, 'a plain number: write 0.1 for 10 %, or for one new share per ten held'),
    unread('amount', r.amount, amount, 'a plain number: write VND per share, like 1500'),
    unread('price', r.price, price, 'a plain number: write VND, like 10000'),
    unread('is_withdrawn', r.isWithdrawn, is_withdrawn, 'a flag: write true or false'),
    CASE WHEN NOT is_withdrawn THEN nullif(concat_ws('; ',
      CASE WHEN kind = 'cash_dividend' AND NOT has_amount
        THEN 'amount is missing: a cash_dividend needs VND per share, like 1500' END,
      CASE WHEN kind = 'cash_dividend' AND amount <= 0
        THEN 'amount: ' || r.amount || ' is not above zero: write VND per share, like 1500' END,
      CASE WHEN is_known_kind AND kind <> 'cash_dividend' AND has_amount
        THEN 'amount: leave it empty for ' || kind END,
      CASE WHEN kind = 'cash_dividend' AND has_ratio
        THEN 'ratio: leave it empty for cash_dividend, and write VND per share into amount' END,
      CASE WHEN kind IN ('stock_dividend', 'bonus', 'rights') AND NOT has_ratio
        THEN 'ratio is missing: write new shares per share held, like 0.1' END,
      CASE WHEN kind IN ('stock_dividend', 'bonus', 'rights') AND NOT ratio BETWEEN 0.000001 AND 100
        THEN 'ratio: ' || r.ratio || ' is not above zero and up to 100: write new shares per share '
          || 'held, like 0.1' END,
      CASE WHEN kind = 'split' AND NOT has_ratio
        THEN 'ratio is missing: write shares after per share before, 2 for two from one' END,
      CASE WHEN kind = 'split' AND NOT (ratio > 1 AND ratio <= 1000)
        THEN 'ratio: ' || r.ratio || ' is not above one and up to 1000: write shares after per share '
          || 'before, 2 for two from one' END,
      CASE WHEN kind = 'consolidation' AND NOT has_ratio
        THEN 'ratio is missing: write shares after per share before, 0.1 for one from ten' END,
      CASE WHEN kind = 'consolidation' AND NOT (ratio >= 0.001 AND ratio < 1)
        THEN 'ratio: ' || r.ratio || ' is not from 0.001 to below one: write shares after per share '
          || 'before, 0.1 for one from ten' END,
      CASE WHEN kind = 'rights' AND NOT has_price
        THEN 'price is missing: write what a new share costs, VND' END,
      CASE WHEN kind = 'rights' AND price < 0 THEN 'price: ' || r.price || ' is below zero' END,
      CASE WHEN is_known_kind AND kind <> 'rights' AND has_price
        THEN 'price: leave it empty for ' || kind END), '')
    END
  ), '') AS fault
  FROM typed
)
SELECT
  request_id, ordinal, received_at,
  symbol, ex_date, kind, ratio, amount, price, is_withdrawn,
  CASE WHEN coalesce(r.line, '') = '' THEN fault ELSE 'line ' || r.line || ': ' || fault END AS reason
FROM checked;
