-- grain: one row per index and session with an index summary, or with daily summaries of its members
-- Counted again: over the members that traded (total_match > 0) and whose reference price is known, close
-- against ref_price, as rule 19 counts. Boards count stocks, HOSE also ETFs and funds, none covered warrants
-- (docs/market-facts.md#board-totals); other indexes count whom market.index_member names on that session,
-- which is not known before it was first read. The line runs over the sessions stored: a session that is
-- missing moves it by nothing.
-- The line needs every session, but counts only of those that the summaries do not report: whoever asks for
-- one session has the members of that session counted, and of sessions without counts in a summary.
CREATE OR REPLACE VIEW mart.breadth AS
WITH symbol_day AS NOT MATERIALIZED (
  FROM mart.close_direction('market.daily_summary')
), index_name AS (
  SELECT index_code FROM market.market_index
  UNION
  SELECT index_code FROM market.index_summary
), board_count AS (
  SELECT board, trading_date, count(*) AS summarised,
    count(*) FILTER (direction > 0) AS advance_counted, count(*) FILTER (direction < 0) AS decline_counted,
    count(*) FILTER (direction = 0) AS no_change_counted,
    count(*) FILTER (at_ceiling) AS ceiling_counted, count(*) FILTER (at_floor) AS floor_counted,
    count(*) FILTER (NOT has_traded) AS untraded_counted,
    count(*) FILTER (has_traded AND direction IS NULL) AS unknown_counted
  FROM symbol_day
  WHERE counts_for_board
  GROUP BY board, trading_date
), member_count AS (
  SELECT member.index_code, symbol_day.trading_date, count(*) AS summarised,
    count(*) FILTER (direction > 0) AS advance_counted, count(*) FILTER (direction < 0) AS decline_counted,
    count(*) FILTER (direction = 0) AS no_change_counted,
    count(*) FILTER (at_ceiling) AS ceiling_counted, count(*) FILTER (at_floor) AS floor_counted,
    count(*) FILTER (NOT has_traded) AS untraded_counted,
    count(*) FILTER (has_traded AND direction IS NULL) AS unknown_counted
  FROM symbol_day
  JOIN market.index_member member
    ON member.symbol = symbol_day.symbol AND member.valid_from <= symbol_day.trading_date
    AND (member.valid_to IS NULL OR member.valid_to > symbol_day.trading_date)
  WHERE mart.board_of_index(member.index_code) IS NULL
  GROUP BY member.index_code, symbol_day.trading_date
), count_source AS (
  SELECT index_code, trading_date, total_advance_stock, total_decline_stock, total_no_change_stock,
    total_ceiling_stock,
    total_floor_stock
  FROM market.index_summary
  UNION ALL BY NAME
  SELECT index_name.index_code, board_count.* EXCLUDE (board)
  FROM board_count JOIN index_name ON mart.board_of_index(index_name.index_code) = board_count.board
  UNION ALL BY NAME
  FROM member_count
), index_day AS (
  SELECT index_code, trading_date,
    max(total_advance_stock) AS total_advance_stock, max(total_decline_stock) AS total_decline_stock,
    max(total_no_change_stock) AS total_no_change_stock, max(total_ceiling_stock) AS total_ceiling_stock,
    max(total_floor_stock) AS total_floor_stock,
    max(advance_counted) AS advance_counted, max(decline_counted) AS decline_counted,
    max(no_change_counted) AS no_change_counted, max(ceiling_counted) AS ceiling_counted,
    max(floor_counted) AS floor_counted, max(untraded_counted) AS untraded_counted,
    max(unknown_counted) AS unknown_counted, max(summarised) AS summarised
  FROM count_source
  GROUP BY index_code, trading_date
), reported_net AS (
  SELECT index_code, trading_date,
    CAST(total_advance_stock AS HUGEINT) - total_decline_stock AS net
  FROM market.index_summary
), counted_index AS (
  SELECT index_code, DATE '0001-01-01' AS first_day, DATE '9999-12-31' AS last_day
  FROM index_name
  WHERE mart.board_of_index(index_code) IS NOT NULL
  UNION ALL
  SELECT index_code, min(valid_from), max(coalesce(valid_to, DATE '9999-12-31'))
  FROM market.index_member
  WHERE mart.board_of_index(index_code) IS NULL
  GROUP BY index_code
), unreported_day AS (
  -- as a list: DuckDB then expects few days, and reads no summaries where there are none
  SELECT unnest(list(DISTINCT session.trading_date)) AS trading_date
  FROM (SELECT DISTINCT trading_date FROM market.daily_summary) session
  JOIN counted_index ON session.trading_date BETWEEN counted_index.first_day AND counted_index.last_day
  ANTI JOIN (FROM reported_net WHERE net IS NOT NULL) reported
    ON reported.index_code = counted_index.index_code AND reported.trading_date = session.trading_date
), unreported_summary AS (
  FROM market.daily_summary SEMI JOIN unreported_day USING (trading_date)
), unreported_symbol AS MATERIALIZED (
  FROM mart.close_direction('unreported_summary')
), unreported_direction AS (
  SELECT index_name.index_code, unreported_symbol.trading_date, unreported_symbol.direction
  FROM unreported_symbol
  JOIN index_name ON mart.board_of_index(index_name.index_code) = unreported_symbol.board
  WHERE unreported_symbol.counts_for_board
  UNION ALL
  SELECT member.index_code, unreported_symbol.trading_date, unreported_symbol.direction
  FROM unreported_symbol
  JOIN market.index_member member
    ON member.symbol = unreported_symbol.symbol AND member.valid_from <= unreported_symbol.trading_date
      AND (member.valid_to IS NULL OR member.valid_to > unreported_symbol.trading_date)
  WHERE mart.board_of_index(member.index_code) IS NULL
), session_net AS (
  SELECT index_code, trading_date, net AS reported_net, NULL AS counted_net FROM reported_net
  UNION ALL
  -- count_if is null where no direction is known, and the line is a sum of counts
  SELECT index_code, trading_date, NULL,
    count(*) FILTER (direction > 0) - count(*) FILTER (direction < 0)
  FROM unreported_direction
  GROUP BY index_code, trading_date
), net_day AS (
  SELECT index_code, trading_date, coalesce(max(reported_net), max(counted_net)) AS net
  FROM session_net
  GROUP BY index_code, trading_date
), line AS (
  SELECT index_code, trading_date,
    sum(net) OVER (PARTITION BY index_code ORDER BY trading_date ROWS UNBOUNDED PRECEDING)
      AS advance_decline_line
  FROM net_day
), net_breadth AS (
  SELECT *,
    CASE
      WHEN total_advance_stock + total_decline_stock IS NOT NULL THEN 'summary'
      WHEN summarised > 0 THEN 'members'
    END AS told_by,
    CASE told_by
      WHEN 'summary' THEN CAST(total_advance_stock AS HUGEINT) - total_decline_stock
      WHEN 'members' THEN advance_counted - decline_counted
    END AS net
  FROM index_day
)
SELECT net_breadth.index_code, net_breadth.trading_date, total_advance_stock, total_decline_stock,
  total_no_change_stock, total_ceiling_stock, total_floor_stock, advance_counted, decline_counted,
  no_change_counted, ceiling_counted, floor_counted, untraded_counted, unknown_counted, summarised, told_by,
  TRY_CAST(net AS BIGINT) AS advance_less_decline,
  TRY_CAST(line.advance_decline_line AS BIGINT) AS advance_decline_line
FROM net_breadth
LEFT JOIN line ON line.index_code = net_breadth.index_code AND line.trading_date = net_breadth.trading_date;
COMMENT ON VIEW mart.breadth IS
  'One row per index and session: how many stocks rose and fell, as the index summary reports it beside the '
  'same counted again from its members, and the advance/decline line. Members whose rows are withheld are '
  'not counted again.';
COMMENT ON COLUMN mart.breadth.total_advance_stock IS
  'Stocks that closed above reference, as the index summary reports; null where it does not, as in all '
  'total_ columns.';
COMMENT ON COLUMN mart.breadth.total_decline_stock IS
  'Stocks that closed below reference, as the index summary reports.';
COMMENT ON COLUMN mart.breadth.total_no_change_stock IS
  'Stocks that closed at reference, as the index summary reports; deployments count untraded stocks here or '
  'not at all.';
COMMENT ON COLUMN mart.breadth.total_ceiling_stock IS
  'Stocks that closed at the ceiling, part of the advance, as the index summary reports.';
COMMENT ON COLUMN mart.breadth.total_floor_stock IS
  'Stocks that closed at the floor, part of the decline, as the index summary reports.';
COMMENT ON COLUMN mart.breadth.advance_counted IS
  'Members that traded and closed above ref_price; null where no member''s daily summary is stored or the '
  'members are not known, as in all _counted columns.';
COMMENT ON COLUMN mart.breadth.decline_counted IS 'Members that traded and closed below ref_price.';
COMMENT ON COLUMN mart.breadth.no_change_counted IS 'Members that traded and closed at ref_price.';
COMMENT ON COLUMN mart.breadth.ceiling_counted IS 'Of advance_counted, those that closed at the ceiling.';
COMMENT ON COLUMN mart.breadth.floor_counted IS 'Of decline_counted, those that closed at the floor.';
COMMENT ON COLUMN mart.breadth.untraded_counted IS 'Members with a daily summary in which nothing matched.';
COMMENT ON COLUMN mart.breadth.unknown_counted IS
  'Members that traded, but whose close or reference price is not reported: in none of the other counts.';
COMMENT ON COLUMN mart.breadth.summarised IS
  'Members with a daily summary of the session: what the counts are over. Null where there is none.';
COMMENT ON COLUMN mart.breadth.told_by IS
  'Where advance_less_decline is from: summary, or members where the summary does not report it.';
COMMENT ON COLUMN mart.breadth.advance_less_decline IS
  'Advance less decline of the session, stocks: the summary''s, else as counted.';
COMMENT ON COLUMN mart.breadth.advance_decline_line IS
  'Sum of advance_less_decline over the sessions stored up to this one. Where it starts is where history '
  'starts: only its changes mean something.';
