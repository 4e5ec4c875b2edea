-- grain: the relation's own; a month's rows are copied again by: ALTER TABLE $name DROP PARTITION …, then
--   this with a WHERE
INSERT INTO $name ($names)
SELECT $names FROM $source;
