-- Values of typed columns as the text that the strict macros read. Nothing is rounded, nothing is guessed.

-- a DOUBLE as DuckDB writes it, its shortest form, without the exponent that no field of the API has:
-- 1.5e+17, 1e-05. nan and inf stay as they are, and go to quarantine.
CREATE OR REPLACE TEMP MACRO plain_digits(t) AS replace(replace(split_part(t, 'e', 1), '-', ''), '.', '');
CREATE OR REPLACE TEMP MACRO plain_exponent(t) AS TRY_CAST(split_part(t, 'e', 2) AS INTEGER);
CREATE OR REPLACE TEMP MACRO plain_number(t) AS CASE WHEN NOT contains(t, 'e') THEN t ELSE
  CASE WHEN t[1] = '-' THEN '-' ELSE '' END || CASE
    WHEN plain_exponent(t) < 0 THEN '0.' || repeat('0', -plain_exponent(t) - 1) || plain_digits(t)
    WHEN plain_exponent(t) >= length(plain_digits(t)) - 1
      THEN rpad(plain_digits(t), plain_exponent(t) + 1, '0')
    ELSE left(plain_digits(t), plain_exponent(t) + 1) || '.' || substr(plain_digits(t), plain_exponent(t) + 2)
  END
END;

-- an instant in exchange time (UTC+7); infinity stays what it is, and goes to quarantine
CREATE OR REPLACE TEMP MACRO exchange_text(t) AS CASE
  WHEN isfinite(t) THEN CAST(timezone('UTC', t) + INTERVAL 7 HOUR AS VARCHAR)
  ELSE CAST(t AS VARCHAR)
END;
