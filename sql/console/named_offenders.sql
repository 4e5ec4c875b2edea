-- grain: one row per row for which a rule does not hold
-- Its name is what it is about: its symbol, index, account or subject.
SELECT *, coalesce(json_extract_string(key, '$.symbol'), json_extract_string(key, '$.index_code'),
  json_extract_string(key, '$.account_no'), subject) AS name
FROM recon.offender
