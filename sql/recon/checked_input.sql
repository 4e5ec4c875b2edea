-- Variable checked_inputs → recon.checked_input: a JSON array of what was checked, in place of what was stored of it
DELETE FROM recon.checked_input WHERE (kind, trading_date) IN (
  SELECT (kind, trading_date)
  FROM (SELECT unnest(from_json(getvariable('checked_inputs'),
    '[{"kind": "VARCHAR", "trading_date": "DATE"}]'), recursive := true))
);
INSERT INTO recon.checked_input BY NAME
SELECT unnest(from_json(getvariable('checked_inputs'), '[{
  "kind": "VARCHAR",
  "trading_date": "DATE",
  "checked_with": "VARCHAR",
  "inputs": "VARCHAR"
}]'), recursive := true);
