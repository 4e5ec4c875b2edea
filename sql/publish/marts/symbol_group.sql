-- The group of a symbol: its first character, and a quarter of the alphabet for its second one. Groups are
-- ranges of symbols, so that the bounds of a file in the Delta log skip it; 1,700 symbols have some 90.
CASE
  WHEN left(symbol, 1) BETWEEN 'A' AND 'Z' THEN left(symbol, 1) || CASE
    WHEN substr(symbol, 2, 1) < 'G' THEN '1'
    WHEN substr(symbol, 2, 1) < 'M' THEN '2'
    WHEN substr(symbol, 2, 1) < 'S' THEN '3'
    ELSE '4'
  END
  WHEN left(symbol, 1) BETWEEN '0' AND '9' THEN '0'
  ELSE '_'
END
