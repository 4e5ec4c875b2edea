-- Comments in plain words. They are read by `show tables`, `describe` and the dictionary.

COMMENT ON TABLE account.account IS 'One row per account_no: the accounts that the keys may read, as last listed by the service.';
COMMENT ON TABLE account.order_book IS 'One row per snapshot_id and order_id: an order as the service returned it.';
COMMENT ON TABLE account.conditional_order IS 'One row per snapshot_id and fco_id: a conditional order as the service returned it.';
COMMENT ON COLUMN account.conditional_order_event.ordinal IS 'Position in the history that the service returned, from 1.';
COMMENT ON TABLE market.revision IS 'One row per changed value: the value that a relation had before.';
COMMENT ON TABLE market.security_history IS 'One row per symbol and validity: the descriptive attributes of the security lists over time. A changed attribute begins a new row; i_index, i_nav, open_interest and settlement_price move daily and have the last value seen within the row.';
COMMENT ON TABLE market.security_daily IS 'One row per symbol and trading_date: the figures of the security list that move daily. The list has only the values of the moment, so only sessions whose own night requested it are here; a backfill cannot add earlier ones. Where loaded_at lies in the next session, the values are those of that time.';
COMMENT ON TABLE mart.intraday IS 'One row per symbol and session that has 1m bars: figures of the session from these bars.';
COMMENT ON COLUMN mart.intraday.board IS 'The board whose trading hours apply: its board of that day (HOSE, HNX, UPCOM), DERIVATIVE for futures; null where the session has no price limits of the symbol.';
