-- Reasons to reject a record: each macro is null if nothing is wrong.

-- a text that cannot be read as its type
CREATE OR REPLACE TEMP MACRO unread(field, t, value, expected) AS CASE
  WHEN value IS NULL AND t <> '' THEN concat(field, ': ''', left(t, 40), ''' is not ', expected)
END;

-- the same for a number that the service computes from others: binary noise costs the field, not the record
CREATE OR REPLACE TEMP MACRO unread_derived(field, t, value, expected) AS CASE
  WHEN NOT has_noise(t, value) THEN unread(field, t, value, expected)
END;

-- a field without which the record has no key
CREATE OR REPLACE TEMP MACRO missing(field, t) AS CASE
  WHEN t IS NULL OR t = '' THEN field || ' is missing'
END;

-- a value of another key than was requested
CREATE OR REPLACE TEMP MACRO not_asked(field, value, asked) AS CASE
  WHEN value <> asked THEN field || ': ''' || left(value, 40) || ''' was not asked for'
END;

-- a day outside of the requested window
CREATE OR REPLACE TEMP MACRO out_of_window(field, day, window_from, window_to) AS CASE
  WHEN day < window_from OR day > window_to
    THEN field || ': ' || day || ' is outside of the window asked, ' || window_from || ' to ' || window_to
END;
