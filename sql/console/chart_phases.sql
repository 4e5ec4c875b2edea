-- grain: one row per phase of the symbol's board and validity
-- The board is that of the security list, else that of its latest price limits: mart.instrument reads all
-- symbols.
WITH known_board AS (
  SELECT coalesce(
    (SELECT board FROM market.security WHERE symbol = $symbol),
    (SELECT arg_max(exchange, trading_date) FROM market.price_limit WHERE symbol = $symbol)) AS board
)
SELECT phase.phase, CAST(phase.starts AS VARCHAR) AS starts, CAST(phase.ends AS VARCHAR) AS ends,
  phase.valid_from, phase.valid_to
FROM mart.trading_phase phase
JOIN known_board ON phase.board = mart.trading_board($symbol, known_board.board)
ORDER BY phase.starts
