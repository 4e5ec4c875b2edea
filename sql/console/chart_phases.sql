-- grain: one row per phase of the symbol's board and validity
SELECT phase.phase, CAST(phase.starts AS VARCHAR) AS starts, CAST(phase.ends AS VARCHAR) AS ends,
  phase.valid_from, phase.valid_to
FROM mart.trading_phase phase
JOIN mart.instrument instrument ON instrument.trading_board = phase.board
WHERE instrument.symbol = $symbol
ORDER BY phase.starts
