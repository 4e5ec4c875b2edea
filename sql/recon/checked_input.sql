-- Variable checked_inputs (inputs of the checked sessions and snapshots as a JSON array) →
-- recon.checked_input. They replace the rows of the same sessions and snapshots.
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
