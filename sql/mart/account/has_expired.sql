-- Whether what an account held of a symbol has ended. A future is closed at its last settlement, so it has
-- ended on the day after its last one whatever is still shown, and on that day where nothing is held any
-- more. A covered warrant stays on the account until it is paid out some days later: it has ended where its
-- last day has come and nothing is held any more.
CREATE OR REPLACE MACRO mart.has_expired(kind, last_day, day, quantity) AS (
  coalesce(kind = 'future' AND last_day < day
    OR kind IN ('future', 'covered_warrant') AND last_day <= day AND coalesce(quantity, 0) = 0, false)
);
COMMENT ON MACRO mart.has_expired IS
  'Whether a future or covered warrant with that last trading date has ended for an account that holds '
  'quantity of it on a day.';
