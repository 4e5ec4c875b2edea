-- grain: one row per icb_code and session on which stocks of it have a daily summary
-- Stocks alone; industry and listed shares of that session (mart.industry, mart.listed_share). Stocks that no
-- list gives one (delisted before the lists were first read) are one row more, its icb_code null: leaving
-- them out would flatter. Returns are close / ref_price - 1 of the stocks that traded: deployments differ in
-- what they report for the others. There is none on a day whose references are at fault
-- (mart.reference_glitch). Not return_1 of mart.daily_return: that one is from closes where no reference was
-- reported, which here would mix two bases in one mean.
CREATE OR REPLACE VIEW mart.sector AS
WITH stock_session AS (
  SELECT summary.trading_date, industry.icb_code, industry.icb_name,
    coalesce(summary.total_match > 0, false) AS has_traded,
    -- under a name of its own: ref_price would be that of the limits, believed or not
    CASE WHEN glitch.trading_date IS NULL AND band.ref_price > 0
      THEN band.ref_price END AS believed_price,
    CASE WHEN summary.total_match > 0 AND summary.close > 0
      THEN CAST(summary.close AS DOUBLE) / CAST(believed_price AS DOUBLE) - 1 END AS return_1,
    believed_price * shares.listed_share AS value_before,
    -- the decimal has 37 digits: to cast it costs a microsecond
    CAST(believed_price AS DOUBLE) * shares.listed_share AS weight,
    CAST(summary.total_match_value AS DOUBLE) AS match_value,
    CAST(summary.total_deal_value AS DOUBLE) AS deal_value,
    CAST(summary.total_foreign_buy_value AS DOUBLE)
      - CAST(summary.total_foreign_sell_value AS DOUBLE) AS foreign_value
  FROM market.daily_summary summary
  LEFT JOIN market.price_limit band
    ON band.symbol = summary.symbol AND band.trading_date = summary.trading_date
  LEFT JOIN mart.reference_glitch glitch ON glitch.trading_date = summary.trading_date
  LEFT JOIN mart.industry industry ON industry.symbol = summary.symbol
    AND summary.trading_date BETWEEN industry.valid_from AND industry.valid_to
  LEFT JOIN mart.listed_share shares ON shares.symbol = summary.symbol
    AND summary.trading_date BETWEEN shares.valid_from AND shares.valid_to
  WHERE mart.instrument_kind(summary.symbol, NULL) = 'stock'
)
SELECT icb_code, max(icb_name) AS icb_name, trading_date, count(*) AS stocks,
  count(*) FILTER (has_traded) AS stocks_traded,
  count(*) FILTER (return_1 > 0) AS advance, count(*) FILTER (return_1 < 0) AS decline,
  count(*) FILTER (return_1 = 0) AS no_change,
  sum(match_value) AS total_match_value, sum(deal_value) AS total_deal_value,
  sum(foreign_value) AS foreign_net_value,
  avg(return_1) AS return_equal_weight,
  sum(return_1 * weight)
    / nullif(sum(value_before) FILTER (WHERE return_1 IS NOT NULL), 0) AS return_cap_weight,
  sum(value_before) FILTER (WHERE return_1 IS NOT NULL) AS value_before
FROM stock_session
GROUP BY icb_code, trading_date;
COMMENT ON VIEW mart.sector IS
  'One row per industry (ICB) and session: breadth, value, foreign flow and returns of its stocks. Stocks '
  'without a known industry are the row whose icb_code is null. Sums are over published rows: withheld ones '
  'are missing.';
COMMENT ON COLUMN mart.sector.icb_code IS
  'Industry code (ICB) on that session (mart.industry); null = stocks whose industry no list reports.';
COMMENT ON COLUMN mart.sector.icb_name IS 'Industry name (ICB); null where icb_code is.';
COMMENT ON COLUMN mart.sector.stocks IS 'Stocks with a daily summary of the session.';
COMMENT ON COLUMN mart.sector.stocks_traded IS 'Of these, stocks in which something matched.';
COMMENT ON COLUMN mart.sector.advance IS 'Stocks that traded with return_1 above 0.';
COMMENT ON COLUMN mart.sector.decline IS 'Stocks that traded with return_1 below 0.';
COMMENT ON COLUMN mart.sector.no_change IS 'Stocks that traded with return_1 = 0.';
COMMENT ON COLUMN mart.sector.total_deal_value IS
  'Put-through value, VND; null where no stock''s summary reports it.';
COMMENT ON COLUMN mart.sector.foreign_net_value IS
  'Bought less sold by foreign investors, VND; stocks that do not report both are excluded, null where none '
  'does.';
COMMENT ON COLUMN mart.sector.return_equal_weight IS
  'Mean of close / ref_price - 1 over the stocks that traded, a fraction; null where none did, and on days '
  'whose references are at fault (mart.reference_glitch): then nothing rises or falls either.';
COMMENT ON COLUMN mart.sector.return_cap_weight IS
  'Mean of return_1 over the stocks that traded, weighted by listed_share x ref_price, a fraction; stocks '
  'without known shares are excluded, null where none remains. Listed shares, not free float.';
COMMENT ON COLUMN mart.sector.value_before IS
  'Weight of return_cap_weight in all: listed_share x ref_price of the stocks that traded, VND; null where '
  'none remains.';
