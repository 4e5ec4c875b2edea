-- What an override covers: a hash of the rows that break the rule. An aggregate, in
-- one place: the hash that is kept and the one that is compared with it must be of the same text.
CREATE OR REPLACE TEMP MACRO offenders_seen(state, relation, key, expected, actual) AS (
  sha256(string_agg(concat_ws(' ', relation, key, expected, actual), chr(10)
    ORDER BY relation, key) FILTER (WHERE state = 'break'))
);
