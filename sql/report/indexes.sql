-- grain: one row per index with a summary of the session
SELECT summary.index_code, name.index_name, mart.board_of_index(summary.index_code) AS whole_board,
  CAST(index_value AS DOUBLE) AS index_value, CAST(index_change AS DOUBLE) AS index_change,
  CASE WHEN index_value <> index_change
    THEN CAST(index_change AS DOUBLE) / CAST(index_value - index_change AS DOUBLE) END AS change_part,
  CAST(total_match_value AS DOUBLE) AS match_value, CAST(total_deal_value AS DOUBLE) AS deal_value,
  CAST(total_advance_stock AS DOUBLE) AS advance, CAST(total_ceiling_stock AS DOUBLE) AS ceiling,
  CAST(total_decline_stock AS DOUBLE) AS decline, CAST(total_floor_stock AS DOUBLE) AS floor,
  CAST(total_no_change_stock AS DOUBLE) AS no_change
FROM market.index_summary summary
LEFT JOIN market.market_index name USING (index_code)
WHERE summary.trading_date = $session
ORDER BY list_position(['HOSE', 'VN30', 'HNX', 'UPCOM'],
    coalesce(whole_board, mart.plain_index_code(summary.index_code))) NULLS LAST,
  match_value DESC, index_code;
