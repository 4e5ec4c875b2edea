-- grain: one row per symbol and change of its board in the security lists
-- Lists of sessions (market.security_history) name the board of each symbol: a transfer is a board that is
-- another than the one that the lists named before. Price limits name the board of each session too, and
-- show when it traded last on the former board and first on the new one, within the transfers before and
-- after this one. A transfer of before the first list stored is not here; market.price_limit.exchange
-- shows it.
CREATE OR REPLACE VIEW mart.board_transfer AS
WITH board_change AS (
  SELECT symbol, valid_from, upper(board) AS to_board, lag(upper(board)) OVER board_history AS from_board
  FROM market.security_history
  WHERE board <> ''
  WINDOW board_history AS (PARTITION BY symbol ORDER BY valid_from)
  QUALIFY from_board <> to_board
), transfer AS (
  SELECT *, coalesce(lag(valid_from) OVER transfers, DATE '0001-01-01') AS transfer_before,
    coalesce(lead(valid_from) OVER transfers, DATE '9999-12-31') AS transfer_after
  FROM board_change
  WINDOW transfers AS (PARTITION BY symbol ORDER BY valid_from)
), transfer_session AS (
  SELECT transfer.symbol, transfer.valid_from,
    max(session.trading_date) FILTER (WHERE upper(session.exchange) = transfer.from_board) AS last_session,
    min(session.trading_date) FILTER (WHERE upper(session.exchange) = transfer.to_board) AS first_session
  FROM transfer
  JOIN market.price_limit session ON session.symbol = transfer.symbol
    AND session.trading_date >= transfer.transfer_before AND session.trading_date < transfer.transfer_after
  GROUP BY transfer.symbol, transfer.valid_from
)
SELECT transfer.symbol, mart.instrument_kind(transfer.symbol, NULL) AS kind,
  transfer.from_board, transfer.to_board, transfer.valid_from AS listed_from,
  transfer_session.last_session AS last_session_on_former_board,
  transfer_session.first_session AS first_session_on_new_board
FROM transfer
LEFT JOIN transfer_session
  ON transfer_session.symbol = transfer.symbol AND transfer_session.valid_from = transfer.valid_from;
COMMENT ON VIEW mart.board_transfer IS
  'One row per symbol and change of its board: from which board to which, and when, by the security lists '
  'and by the price limits.';
COMMENT ON COLUMN mart.board_transfer.from_board IS
  'HOSE, HNX or UPCOM, by the last list before the transfer.';
COMMENT ON COLUMN mart.board_transfer.to_board IS 'HOSE, HNX or UPCOM, by the list of listed_from.';
COMMENT ON COLUMN mart.board_transfer.listed_from IS
  'Trading date of the first list that names to_board. Lists may be read later than the transfer was.';
COMMENT ON COLUMN mart.board_transfer.last_session_on_former_board IS
  'Last session whose price limits name from_board; null where none stored does.';
COMMENT ON COLUMN mart.board_transfer.first_session_on_new_board IS
  'First session whose price limits name to_board; null where none stored does.';
