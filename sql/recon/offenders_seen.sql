-- Hash of the rows that break a rule; an override covers exactly these rows. One macro for the hash that an
-- override stores and the hash that findings compare with it: both must be made from the same text.
CREATE OR REPLACE TEMP MACRO offenders_seen(state, relation, key, expected, actual) AS (
  sha256(string_agg(concat_ws(' ', relation, key, expected, actual), chr(10)
    ORDER BY relation, key) FILTER (WHERE state = 'break'))
);
