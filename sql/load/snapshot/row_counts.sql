-- Rows of all tables → account_state, histories that came along included
-- reads: received_conditional_order, received_conditional_order_event
-- reads: received_derivative_balance, received_derivative_margin, received_derivative_position
-- reads: received_derivative_position_summary, received_equity_balance, received_equity_margin
-- reads: received_equity_position, received_max_quantity, received_order_book
-- writes: account_state
UPDATE account_state SET row_count = (
  WITH received AS (
    SELECT account_no FROM received_equity_balance
    UNION ALL SELECT account_no FROM received_derivative_balance
    UNION ALL SELECT account_no FROM received_equity_margin
    UNION ALL SELECT account_no FROM received_derivative_margin
    UNION ALL SELECT account_no FROM received_equity_position
    UNION ALL SELECT account_no FROM received_derivative_position
    UNION ALL SELECT account_no FROM received_derivative_position_summary
    UNION ALL SELECT account_no FROM received_order_book
    UNION ALL SELECT account_no FROM received_conditional_order
    UNION ALL SELECT account_no FROM received_conditional_order_event
    UNION ALL SELECT account_no FROM received_max_quantity
  )
  SELECT count(*) FROM received WHERE received.account_no = account_state.account_no
);
