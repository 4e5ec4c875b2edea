-- What screens of all symbols read: windows over a symbol's sessions, computed when a session is published.
-- grain: one row per symbol, trading_date
CREATE TABLE mart.session_factor (
  symbol                  VARCHAR,
  trading_date            DATE,
  board                   VARCHAR,
  close                   DECIMAL(18,6),
  ref_price               DECIMAL(18,6),
  return_1                DOUBLE,
  close_return_1          DOUBLE,
  return_5                DOUBLE,
  return_20               DOUBLE,
  return_60               DOUBLE,
  return_120              DOUBLE,
  return_250              DOUBLE,
  close_volatility_20     DOUBLE,
  close_volatility_60     DOUBLE,
  parkinson_volatility_20 DOUBLE,
  parkinson_volatility_60 DOUBLE,
  intraday_volatility_20  DOUBLE,
  intraday_volatility_60  DOUBLE,
  from_high_52w           DOUBLE,
  from_low_52w            DOUBLE,
  is_new_high_52w         BOOLEAN,
  is_new_low_52w          BOOLEAN,
  sessions_52w            BIGINT,
  is_known                BOOLEAN,
  sessions_20             BIGINT,
  zero_trade_days_20      BIGINT,
  mean_volume_20          DOUBLE,
  median_volume_20        DOUBLE,
  mean_value_20           DOUBLE,
  median_value_20         DOUBLE,
  mean_deal_volume_20     DOUBLE,
  mean_deal_value_20      DOUBLE,
  tier                    INTEGER,
  foreign_net_volume_5    DOUBLE,
  foreign_net_value_5     DOUBLE,
  foreign_net_volume_20   DOUBLE,
  foreign_net_value_20    DOUBLE,
  foreign_streak          BIGINT,
  limit_streak            BIGINT,
  beta_vnindex_120        DOUBLE,
  correlation_vnindex_120 DOUBLE,
  pairs_vnindex_120       BIGINT,
  beta_vnindex_250        DOUBLE,
  correlation_vnindex_250 DOUBLE,
  pairs_vnindex_250       BIGINT,
  beta_vn30_120           DOUBLE,
  correlation_vn30_120    DOUBLE,
  pairs_vn30_120          BIGINT,
  beta_vn30_250           DOUBLE,
  correlation_vn30_250    DOUBLE,
  pairs_vn30_250          BIGINT
);

COMMENT ON TABLE mart.session_factor IS 'One row per symbol and session on which it was listed: figures of windows that end with the session, computed when it was published. mart.daily_factor adds what later sessions change: adjusted close, market capitalisation.';
COMMENT ON COLUMN mart.session_factor.symbol IS 'Symbol.';
COMMENT ON COLUMN mart.session_factor.trading_date IS 'Trading date, exchange calendar (UTC+7).';
COMMENT ON COLUMN mart.session_factor.board IS 'HOSE, HNX or UPCOM on that day; null where no price limits were reported.';
COMMENT ON COLUMN mart.session_factor.close IS 'Last price matched, VND (futures: index points), raw; null where none above zero was reported.';
COMMENT ON COLUMN mart.session_factor.ref_price IS 'Reference price; null without a close, where none was reported, or where the references of that day are at fault (mart.reference_glitch).';
COMMENT ON COLUMN mart.session_factor.return_1 IS 'close / ref_price - 1, a fraction; without a reference that can be believed, close_return_1.';
COMMENT ON COLUMN mart.session_factor.close_return_1 IS 'From the adjusted close of the symbol''s session before; null where it has none in 395 days.';
COMMENT ON COLUMN mart.session_factor.return_5 IS 'From adjusted closes, 5 of the symbol''s sessions with a close; null where 395 days have fewer.';
COMMENT ON COLUMN mart.session_factor.return_20 IS 'The same, 20 sessions.';
COMMENT ON COLUMN mart.session_factor.return_60 IS 'The same, 60 sessions.';
COMMENT ON COLUMN mart.session_factor.return_120 IS 'The same, 120 sessions.';
COMMENT ON COLUMN mart.session_factor.return_250 IS 'The same, 250 sessions.';
COMMENT ON COLUMN mart.session_factor.close_volatility_20 IS 'Standard deviation of daily log returns over 20 sessions x sqrt(250), a fraction; null under 15 returns.';
COMMENT ON COLUMN mart.session_factor.close_volatility_60 IS 'The same, 60 sessions; null under 45 returns.';
COMMENT ON COLUMN mart.session_factor.parkinson_volatility_20 IS 'Parkinson, from high and low of 20 sessions, x sqrt(250); null under 15 sessions with trades.';
COMMENT ON COLUMN mart.session_factor.parkinson_volatility_60 IS 'The same, 60 sessions; null under 45 sessions with trades.';
COMMENT ON COLUMN mart.session_factor.intraday_volatility_20 IS 'From 1m bars of 20 sessions (mart.intraday.realised_variance), x sqrt(250); null under 15 sessions with bars.';
COMMENT ON COLUMN mart.session_factor.intraday_volatility_60 IS 'The same, 60 sessions; null under 45 sessions with bars.';
COMMENT ON COLUMN mart.session_factor.from_high_52w IS 'Adjusted close / highest adjusted price matched in this session and the 364 days before it - 1, a fraction; null where nothing matched in them.';
COMMENT ON COLUMN mart.session_factor.from_low_52w IS 'Adjusted close / lowest adjusted price matched - 1, as from_high_52w.';
COMMENT ON COLUMN mart.session_factor.is_new_high_52w IS 'Whether this session traded above every earlier price of the 52 weeks; null where it did not trade, or there is no earlier one.';
COMMENT ON COLUMN mart.session_factor.is_new_low_52w IS 'Whether it traded below every earlier price; null as is_new_high_52w.';
COMMENT ON COLUMN mart.session_factor.sessions_52w IS 'Sessions of the 52 weeks in which something matched; null without a close.';
COMMENT ON COLUMN mart.session_factor.is_known IS 'Whether it is known what was traded: a summary reports it, or the service answered for the session and named others alone.';
COMMENT ON COLUMN mart.session_factor.sessions_20 IS 'Sessions of the last 20 listed ones whose trading is known: the figures of liquidity are over these.';
COMMENT ON COLUMN mart.session_factor.zero_trade_days_20 IS 'Of these, sessions in which nothing matched.';
COMMENT ON COLUMN mart.session_factor.mean_volume_20 IS 'Mean matched volume per session, shares or contracts of each day (not adjusted for splits); null where nothing is known.';
COMMENT ON COLUMN mart.session_factor.median_volume_20 IS 'Median matched volume per session, as mean_volume_20.';
COMMENT ON COLUMN mart.session_factor.mean_value_20 IS 'Mean matched value per session, VND; null where nothing is known.';
COMMENT ON COLUMN mart.session_factor.median_value_20 IS 'Median matched value per session, VND.';
COMMENT ON COLUMN mart.session_factor.mean_deal_volume_20 IS 'Mean put-through volume per session, shares or contracts; no part of the matched figures.';
COMMENT ON COLUMN mart.session_factor.mean_deal_value_20 IS 'Mean put-through value per session, VND; no part of the matched figures.';
COMMENT ON COLUMN mart.session_factor.tier IS 'By median_value_20: 1 from 100 billion VND, 2 from 10 billion, 3 from 1 billion, 4 below; null under 10 sessions.';
COMMENT ON COLUMN mart.session_factor.foreign_net_volume_5 IS 'Bought less sold by foreign investors over the symbol''s last 5 sessions with a summary, shares or contracts; null while there are fewer, or one of them is not known.';
COMMENT ON COLUMN mart.session_factor.foreign_net_value_5 IS 'The same in VND.';
COMMENT ON COLUMN mart.session_factor.foreign_net_volume_20 IS 'As foreign_net_volume_5, 20 sessions.';
COMMENT ON COLUMN mart.session_factor.foreign_net_value_20 IS 'As foreign_net_value_5, 20 sessions.';
COMMENT ON COLUMN mart.session_factor.foreign_streak IS 'Sessions in a row, up to this one, in which foreign investors bought more than they sold (+n), or less (-n), by value; counted within 120 days. 0 where the two are equal, null where that is not known.';
COMMENT ON COLUMN mart.session_factor.limit_streak IS 'Closes at the ceiling in a row up to this session (+n), or at the floor (-n), counted within 120 days; sessions without trades are passed over. 0 where it closed at neither; null without limits or trades.';
COMMENT ON COLUMN mart.session_factor.beta_vnindex_120 IS 'Covariance with VNINDEX over the variance of VNINDEX, daily returns of 120 sessions; null under 60 pairs, or where the index did not move.';
COMMENT ON COLUMN mart.session_factor.correlation_vnindex_120 IS 'Correlation with VNINDEX, -1 to 1; null as beta_vnindex_120, and where the price did not move.';
COMMENT ON COLUMN mart.session_factor.pairs_vnindex_120 IS 'Pairs of returns in the 120 sessions; null without a close or a value of the index.';
COMMENT ON COLUMN mart.session_factor.beta_vnindex_250 IS 'As beta_vnindex_120, 250 sessions; null under 125 pairs.';
COMMENT ON COLUMN mart.session_factor.correlation_vnindex_250 IS 'As correlation_vnindex_120, 250 sessions; null under 125 pairs.';
COMMENT ON COLUMN mart.session_factor.pairs_vnindex_250 IS 'Pairs of returns in the 250 sessions; null as pairs_vnindex_120.';
COMMENT ON COLUMN mart.session_factor.beta_vn30_120 IS 'As beta_vnindex_120, against VN30.';
COMMENT ON COLUMN mart.session_factor.correlation_vn30_120 IS 'As correlation_vnindex_120, against VN30.';
COMMENT ON COLUMN mart.session_factor.pairs_vn30_120 IS 'As pairs_vnindex_120, against VN30.';
COMMENT ON COLUMN mart.session_factor.beta_vn30_250 IS 'As beta_vnindex_250, against VN30.';
COMMENT ON COLUMN mart.session_factor.correlation_vn30_250 IS 'As correlation_vnindex_250, against VN30.';
COMMENT ON COLUMN mart.session_factor.pairs_vn30_250 IS 'As pairs_vnindex_250, against VN30.';
