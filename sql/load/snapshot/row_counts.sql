-- Rows of one table → account_state, histories that came along included
-- reads: received_$table
-- writes: account_state
UPDATE account_state SET row_count = coalesce(row_count, 0) + (
  SELECT count(*) FROM received_$table received WHERE received.account_no = account_state.account_no
);
