-- grain: one row per board, validity and minute of the day in which bars may stand
-- Bars are labelled by their start. A phase of continuous trading has its minutes and the one in which it
-- ends: a trade at 11:30:00 makes a bar of 11:30, which belongs to the morning (bars of 11:30 and 14:30 are
-- optional, docs/market-facts.md#minute-bars). The opening auction matches where continuous trading begins,
-- so its volume is in that minute's bar; the closing auction has a bar of its own, in the minute where it
-- ends. Phases are dated each by itself: a validity here is as long as no phase of the board changes.
CREATE OR REPLACE VIEW mart.trading_minute AS
WITH dated_phase AS (
  SELECT board, valid_from, valid_to,
    CASE
      WHEN phase <> 'continuous' THEN phase
      WHEN starts < TIME '12:00' THEN 'morning'
      ELSE 'afternoon'
    END AS phase,
    CAST(epoch(starts) AS INTEGER) // 60 AS starts, CAST(epoch(ends) AS INTEGER) // 60 AS ends
  FROM mart.trading_phase
  WHERE phase <> 'deal'
), era_start AS (
  SELECT board, valid_from FROM dated_phase
  UNION
  SELECT board, valid_to + 1 FROM dated_phase WHERE valid_to < DATE '9999-12-31'
), era AS (
  SELECT board, valid_from,
    coalesce(lead(valid_from) OVER (PARTITION BY board ORDER BY valid_from) - 1,
      DATE '9999-12-31') AS valid_to
  FROM era_start
), era_phase AS (
  SELECT era.board, era.valid_from, era.valid_to, dated_phase.phase, dated_phase.starts, dated_phase.ends
  FROM era
  JOIN dated_phase
    ON dated_phase.board = era.board AND dated_phase.valid_from <= era.valid_from
      AND dated_phase.valid_to >= era.valid_to
), minute AS (
  SELECT *, unnest(range(
    CASE WHEN phase IN ('atc', 'plo') THEN starts + 1 ELSE starts END,
    CASE WHEN phase = 'ato' THEN ends ELSE ends + 1 END)) AS minute
  FROM era_phase
), unique_minute AS (
  -- Where one phase begins in the minute in which another ends, that minute is the later one's.
  FROM minute QUALIFY row_number() OVER (PARTITION BY board, valid_from, minute ORDER BY starts DESC) = 1
)
SELECT minute.board, minute.valid_from, minute.valid_to, minute.minute, minute.phase,
  CASE minute.phase
    WHEN 'atc' THEN minute.ends
    WHEN 'plo' THEN minute.starts + 1
    ELSE minute.starts
  END AS anchor,
  CASE WHEN minute.phase IN ('morning', 'afternoon') THEN minute.ends - 1 END AS last_minute,
  CASE WHEN minute.phase IN ('morning', 'afternoon') THEN minute.minute < minute.ends
    ELSE minute.phase = 'atc' AND minute.minute = minute.ends END AS is_regular,
  CASE WHEN minute.phase = 'atc' THEN 'atc' WHEN opening.ends IS NOT NULL THEN 'ato' END AS auction,
  CASE WHEN minute.phase = 'atc' THEN minute.ends ELSE opening.ends END AS auction_minute
FROM unique_minute minute
LEFT JOIN era_phase opening
  ON opening.phase = 'ato' AND opening.board = minute.board AND opening.valid_from = minute.valid_from
  AND minute.minute BETWEEN opening.starts AND opening.ends;
COMMENT ON VIEW mart.trading_minute IS
  'One row per board, validity and minute in which bars may stand: which phase it belongs to, and how bars '
  'longer than a minute are counted there.';
COMMENT ON COLUMN mart.trading_minute.phase IS 'ato, morning, afternoon, atc or plo.';
COMMENT ON COLUMN mart.trading_minute.anchor IS
  'Minute from which longer bars of the phase are counted; the label of the one bar of ato, atc and plo.';
COMMENT ON COLUMN mart.trading_minute.last_minute IS
  'Last minute that opens a bar of the phase: a trade at the very end belongs to the bar before. Null for '
  'phases of one bar.';
COMMENT ON COLUMN mart.trading_minute.is_regular IS
  'Whether the regular grid has this minute: continuous trading, and the minute in which the closing '
  'auction matches.';
COMMENT ON COLUMN mart.trading_minute.auction IS
  'ato or atc where the minute''s bar contains that auction; null otherwise.';
COMMENT ON COLUMN mart.trading_minute.auction_minute IS
  'Minute in which that auction matches; null where auction is.';
