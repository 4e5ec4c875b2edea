-- grain: one row per symbol and session on which it was listed
-- Every figure that screens ask for. Windows are kept (mart.session_factor); what later sessions or lists
-- change is added here: the close adjusted to the latest session, and market capitalisation from the listed
-- shares of the session (mart.listed_share: before the first list, of that list). The API has proprietary
-- trading per index only: it is that of the index of the symbol's whole board.
CREATE OR REPLACE VIEW mart.daily_factor AS
WITH board_flow AS (
  SELECT mart.board_of_index(index_code) AS board, trading_date,
    max(net_value_5) AS net_value_5, max(net_value_20) AS net_value_20
  FROM mart.proprietary_flow
  WHERE mart.board_of_index(index_code) IS NOT NULL
  GROUP BY ALL
)
SELECT factor.*,
  mart.instrument_kind(factor.symbol, NULL) AS kind,
  CAST(factor.close AS DOUBLE) * coalesce(later.cumulative_factor, 1) AS close_adjusted,
  shares.listed_share,
  shares.reported_from AS listed_share_from,
  CAST(factor.close AS DOUBLE) * shares.listed_share AS market_cap,
  factor.mean_volume_20 / shares.listed_share AS turnover_20,
  board_flow.net_value_5 AS board_proprietary_net_value_5,
  board_flow.net_value_20 AS board_proprietary_net_value_20
FROM mart.session_factor factor
LEFT JOIN mart.adjustment_factor later ON later.symbol = factor.symbol
  AND factor.trading_date >= later.applies_from AND factor.trading_date < later.ex_date
LEFT JOIN mart.listed_share shares ON shares.symbol = factor.symbol
  AND factor.trading_date BETWEEN shares.valid_from AND shares.valid_to
LEFT JOIN board_flow ON board_flow.board = factor.board AND board_flow.trading_date = factor.trading_date;
COMMENT ON VIEW mart.daily_factor IS
  'One row per symbol and session on which it was listed: returns, volatility, liquidity, 52-week range, '
  'flows, streaks, beta, market capitalisation. One session of all symbols answers at once.';
COMMENT ON COLUMN mart.daily_factor.board IS
  'Board of that day: HOSE, HNX or UPCOM; null where no price limits were reported.';
COMMENT ON COLUMN mart.daily_factor.close IS
  'Last price matched, VND (futures: index points), raw; null where none above zero was reported.';
COMMENT ON COLUMN mart.daily_factor.ref_price IS
  'Reference price; null without a close, where none was reported, or where the references of that day '
  'are at fault (mart.reference_glitch).';
COMMENT ON COLUMN mart.daily_factor.return_1 IS
  'close / ref_price - 1, a fraction; without a valid reference, close_return_1.';
COMMENT ON COLUMN mart.daily_factor.close_return_1 IS
  'From the adjusted close of the symbol''s session before; null where it has none in 395 days.';
COMMENT ON COLUMN mart.daily_factor.return_5 IS
  'From adjusted closes, 5 of the symbol''s sessions with a close; null where 395 days have fewer.';
COMMENT ON COLUMN mart.daily_factor.return_20 IS 'As return_5, 20 sessions.';
COMMENT ON COLUMN mart.daily_factor.return_60 IS 'As return_5, 60 sessions.';
COMMENT ON COLUMN mart.daily_factor.return_120 IS 'As return_5, 120 sessions.';
COMMENT ON COLUMN mart.daily_factor.return_250 IS
  'As return_5, 250 sessions: needs 251 of them, which a backfill without --from asks for.';
COMMENT ON COLUMN mart.daily_factor.close_volatility_20 IS
  'Standard deviation of daily log returns from adjusted close to adjusted close over 20 sessions x '
  'sqrt(250), a fraction; null under 15 returns.';
COMMENT ON COLUMN mart.daily_factor.close_volatility_60 IS
  'As close_volatility_20, 60 sessions; null under 45 returns.';
COMMENT ON COLUMN mart.daily_factor.parkinson_volatility_20 IS
  'Parkinson, from high and low of 20 sessions, x sqrt(250); null under 15 sessions with trades.';
COMMENT ON COLUMN mart.daily_factor.parkinson_volatility_60 IS
  'As parkinson_volatility_20, 60 sessions; null under 45 of them with trades.';
COMMENT ON COLUMN mart.daily_factor.intraday_volatility_20 IS
  'From 1m bars of 20 sessions (mart.intraday.realised_variance), x sqrt(250); null under 15 sessions '
  'with bars.';
COMMENT ON COLUMN mart.daily_factor.intraday_volatility_60 IS
  'As intraday_volatility_20, 60 sessions; null under 45 of them with bars.';
COMMENT ON COLUMN mart.daily_factor.from_high_52w IS
  'Adjusted close / highest adjusted price matched in this session and the 364 days before it - 1, a '
  'fraction; null where nothing matched in them.';
COMMENT ON COLUMN mart.daily_factor.from_low_52w IS
  'Adjusted close / lowest adjusted price matched - 1, as from_high_52w.';
COMMENT ON COLUMN mart.daily_factor.is_new_high_52w IS
  'Whether this session traded above every earlier price of the 52 weeks; null where it did not trade, '
  'or there is no earlier one.';
COMMENT ON COLUMN mart.daily_factor.is_new_low_52w IS
  'Whether it traded below every earlier price; null as is_new_high_52w.';
COMMENT ON COLUMN mart.daily_factor.sessions_52w IS
  'Sessions of the 52 weeks in which something matched; null without a close.';
COMMENT ON COLUMN mart.daily_factor.is_known IS
  'Whether it is known what was traded: a summary reports it, or the service answered for the session '
  'and named others alone.';
COMMENT ON COLUMN mart.daily_factor.sessions_20 IS
  'Sessions of the last 20 listed ones whose trading is known: the figures of liquidity are over these.';
COMMENT ON COLUMN mart.daily_factor.zero_trade_days_20 IS
  'Sessions among sessions_20 in which nothing matched.';
COMMENT ON COLUMN mart.daily_factor.mean_volume_20 IS
  'Mean matched volume per session, shares or contracts of each day (not adjusted for splits); null '
  'where nothing is known.';
COMMENT ON COLUMN mart.daily_factor.median_volume_20 IS
  'Median matched volume per session, as mean_volume_20.';
COMMENT ON COLUMN mart.daily_factor.mean_value_20 IS
  'Mean matched value per session, VND; null where nothing is known.';
COMMENT ON COLUMN mart.daily_factor.median_value_20 IS 'Median matched value per session, VND.';
COMMENT ON COLUMN mart.daily_factor.mean_deal_volume_20 IS
  'Mean put-through volume per session, shares or contracts; no part of the matched figures.';
COMMENT ON COLUMN mart.daily_factor.mean_deal_value_20 IS
  'Mean put-through value per session, VND; no part of the matched figures.';
COMMENT ON COLUMN mart.daily_factor.tier IS
  '1 from 100 billion VND of median_value_20, 2 from 10, 3 from 1, 4 below; null under 10 sessions.';
COMMENT ON COLUMN mart.daily_factor.foreign_net_volume_5 IS
  'Bought less sold by foreign investors over the symbol''s last 5 sessions with a summary, shares or '
  'contracts; null while there are fewer, or one of them is not known.';
COMMENT ON COLUMN mart.daily_factor.foreign_net_value_5 IS 'The same in VND.';
COMMENT ON COLUMN mart.daily_factor.foreign_net_volume_20 IS 'As foreign_net_volume_5, 20 sessions.';
COMMENT ON COLUMN mart.daily_factor.foreign_net_value_20 IS 'As foreign_net_value_5, 20 sessions.';
COMMENT ON COLUMN mart.daily_factor.foreign_streak IS
  'Sessions in a row, up to this one, in which foreign investors bought more than they sold (+n), or '
  'less (-n), by value; counted within 120 days. 0 where the two are equal, null where that is not '
  'known.';
COMMENT ON COLUMN mart.daily_factor.limit_streak IS
  'Closes at the ceiling in a row up to this session (+n), or at the floor (-n), counted within 120 '
  'days; sessions without trades are passed over. 0 where it closed at neither; null without limits or '
  'trades.';
COMMENT ON COLUMN mart.daily_factor.beta_vnindex_120 IS
  'Covariance with VNINDEX over the variance of VNINDEX, daily returns of 120 sessions; null under 60 '
  'pairs, or where the index did not move.';
COMMENT ON COLUMN mart.daily_factor.correlation_vnindex_120 IS
  'Correlation with VNINDEX, -1 to 1; null as beta_vnindex_120, and where the price did not move.';
COMMENT ON COLUMN mart.daily_factor.pairs_vnindex_120 IS
  'Pairs of returns in the 120 sessions; null without a close or a value of the index.';
COMMENT ON COLUMN mart.daily_factor.beta_vnindex_250 IS
  'As beta_vnindex_120, 250 sessions; null under 125 pairs.';
COMMENT ON COLUMN mart.daily_factor.correlation_vnindex_250 IS
  'As correlation_vnindex_120, 250 sessions; null under 125 pairs.';
COMMENT ON COLUMN mart.daily_factor.pairs_vnindex_250 IS
  'Pairs of returns in the 250 sessions; null as pairs_vnindex_120.';
COMMENT ON COLUMN mart.daily_factor.beta_vn30_120 IS 'As beta_vnindex_120, against VN30.';
COMMENT ON COLUMN mart.daily_factor.correlation_vn30_120 IS 'As correlation_vnindex_120, against VN30.';
COMMENT ON COLUMN mart.daily_factor.pairs_vn30_120 IS 'As pairs_vnindex_120, against VN30.';
COMMENT ON COLUMN mart.daily_factor.beta_vn30_250 IS 'As beta_vnindex_250, against VN30.';
COMMENT ON COLUMN mart.daily_factor.correlation_vn30_250 IS 'As correlation_vnindex_250, against VN30.';
COMMENT ON COLUMN mart.daily_factor.pairs_vn30_250 IS 'As pairs_vnindex_250, against VN30.';
COMMENT ON COLUMN mart.daily_factor.close_adjusted IS
  'close adjusted to the latest session stored, VND (futures: index points): close x the factors of all '
  'later ex-dates (mart.adjustment_factor).';
COMMENT ON COLUMN mart.daily_factor.listed_share IS
  'Listed shares by the security list of that session; before the first list that reports them, by that '
  'one. Null where not reported.';
COMMENT ON COLUMN mart.daily_factor.listed_share_from IS
  'Trading date of the list that first reported listed_share. After trading_date: the earliest number known, '
  'that of the session may have been another.';
COMMENT ON COLUMN mart.daily_factor.market_cap IS 'close x listed_share, VND; null where either is missing.';
COMMENT ON COLUMN mart.daily_factor.turnover_20 IS 'mean_volume_20 / listed_share, a fraction per session.';
COMMENT ON COLUMN mart.daily_factor.board_proprietary_net_value_5 IS
  'Bought less sold by proprietary desks on the whole board of the symbol over 5 sessions, VND '
  '(mart.proprietary_flow of VNINDEX, HNXINDEX or UPCOMINDEX): the API has no figures per symbol.';
COMMENT ON COLUMN mart.daily_factor.board_proprietary_net_value_20 IS 'The same, 20 sessions.';
