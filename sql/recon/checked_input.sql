-- Variable checked_inputs (a JSON array of what was checked) → recon.checked_input, in place of what was
-- stored of the same sessions and snapshots
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
