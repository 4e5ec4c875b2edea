-- Why a record is not believed: each macro is null where nothing is wrong.

-- text that was there and could not be read
CREATE OR REPLACE TEMP MACRO unread(field, t, value, expected) AS CASE
  WHEN value IS NULL AND t <> '' THEN concat(field, ': ''', left(t, 40), ''' is not ', expected)
END;

-- a field without which the record has no key
CREATE OR REPLACE TEMP MACRO missing(field, t) AS CASE
  WHEN t IS NULL OR t = '' THEN field || ' is missing'
END;

-- an answer to another question than was asked
CREATE OR REPLACE TEMP MACRO not_asked(field, value, asked) AS CASE
  WHEN value <> asked THEN field || ': ''' || left(value, 40) || ''' was not asked for'
END;

-- a day before or after the window that was asked for, the future included
CREATE OR REPLACE TEMP MACRO out_of_window(field, day, window_from, window_to) AS CASE
  WHEN day < window_from OR day > window_to
    THEN field || ': ' || day || ' is outside of the window asked, ' || window_from || ' to ' || window_to
END;
