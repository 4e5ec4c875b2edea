-- Flags of conditional orders.

-- flag: BOOLEAN; JSON true and false, also as text in any case, and 1 and 0
CREATE OR REPLACE TEMP MACRO parse_flag(t) AS CASE lower(t)
  WHEN 'true' THEN true WHEN '1' THEN true WHEN 'false' THEN false WHEN '0' THEN false
END;
