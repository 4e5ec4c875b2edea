-- Strict numbers. Accepted: plain decimals, and commas as correct thousands separators. Everything else is
-- null and the record goes to quarantine: TRY_CAST alone takes NaN, 1e400, 0x10, 1_000, and 12.6 for 13. The
-- plain form stands first in each CASE: one regex for both forms costs 1.93 against 1.24 CPU-seconds per
-- million candles. TRY_CAST behind the regex because DuckDB may evaluate an arm for rows it does not apply
-- to. The digits before and after the point are what the column holds without rounding.

-- price: DECIMAL(18,6); VND, or index points
CREATE OR REPLACE TEMP MACRO parse_price(t) AS CASE
  WHEN regexp_full_match(t, '-?0*[0-9]{1,12}(\.[0-9]{1,6}0*)?') THEN TRY_CAST(t AS DECIMAL(18,6))
  WHEN regexp_full_match(t, '-?[0-9]{1,3}(,[0-9]{3}){1,3}(\.[0-9]{1,6}0*)?')
    THEN TRY_CAST(replace(t, ',', '') AS DECIMAL(18,6))
END;

-- Binary noise of a number that the service has computed: 18.100000000000136, 1.4210854715202004e-14. It has
-- more decimals than its column holds, and is within 1e-9 of its rounding to 4 decimals (relative; absolute
-- around zero), where a real digit would not be. The number is not rounded: nobody knows what was meant
CREATE OR REPLACE TEMP MACRO is_near_rounding(value, rounded) AS
  abs(value - rounded) <= 1e-9 * abs(rounded) OR abs(value) < 1e-9;
CREATE OR REPLACE TEMP MACRO has_noise(t, parsed) AS CASE
  WHEN parsed IS NOT NULL OR t IS NULL THEN false
  WHEN regexp_full_match(t, '-?[0-9]{1,12}\.[0-9]{7,}')
    THEN coalesce(is_near_rounding(TRY_CAST(t AS DOUBLE), round(TRY_CAST(t AS DOUBLE), 4)), false)
  -- 1.81e-1 has three decimals: its form is wrong, not its digits
  WHEN regexp_full_match(t, '-?[0-9](\.[0-9]+)?[eE]-[0-9]{1,3}')
    THEN coalesce(TRY_CAST(t AS DOUBLE) <> round(TRY_CAST(t AS DOUBLE), 4)
      AND is_near_rounding(TRY_CAST(t AS DOUBLE), round(TRY_CAST(t AS DOUBLE), 4)), false)
  ELSE false
END;

-- the column and the field of a number with binary noise, and its text; null for any other number
CREATE OR REPLACE TEMP MACRO noise_of(name, field, t, parsed) AS CASE
  WHEN has_noise(t, parsed) THEN {'name': name, 'field': field, 'value': left(t, 40)}
END;

-- money: DECIMAL(24,4); VND. Casting text to a DECIMAL of more than 18 digits costs 16 CPU-seconds per
-- million values, by way of 18 digits 0.12: the wider cast has only what does not fit. Margins have 70
-- columns of money, and the regular expressions of each column are compiled for every statement.
CREATE OR REPLACE TEMP MACRO parse_money(t) AS CASE
  WHEN regexp_full_match(t, '-?[0-9]+(\.[0-9]{1,4}0*)?')
    THEN coalesce(CAST(TRY_CAST(t AS DECIMAL(18,4)) AS DECIMAL(24,4)), TRY_CAST(t AS DECIMAL(24,4)))
  WHEN regexp_full_match(t, '-?[0-9]{1,3}(,[0-9]{3})+(\.[0-9]{1,4}0*)?')
    THEN coalesce(CAST(TRY_CAST(replace(t, ',', '') AS DECIMAL(18,4)) AS DECIMAL(24,4)),
      TRY_CAST(replace(t, ',', '') AS DECIMAL(24,4)))
END;

-- value of a candle: DECIMAL(18,2); VND
CREATE OR REPLACE TEMP MACRO parse_candle_value(t) AS CASE
  WHEN regexp_full_match(t, '-?0*[0-9]{1,16}(\.[0-9]{1,2}0*)?') THEN TRY_CAST(t AS DECIMAL(18,2))
  WHEN regexp_full_match(t, '-?[0-9]{1,3}(,[0-9]{3}){1,5}(\.[0-9]{1,2}0*)?')
    THEN TRY_CAST(replace(t, ',', '') AS DECIMAL(18,2))
END;

-- quantity: BIGINT; shares, contracts or counts; 1234.0 is 1234, 12.6 is none
CREATE OR REPLACE TEMP MACRO parse_quantity(t) AS CASE
  WHEN regexp_full_match(t, '-?[0-9]+(\.0+)?') THEN TRY_CAST(t AS BIGINT)
  WHEN regexp_full_match(t, '-?[0-9]{1,3}(,[0-9]{3})+(\.0+)?') THEN TRY_CAST(replace(t, ',', '') AS BIGINT)
END;

-- ratio or percentage: DOUBLE
CREATE OR REPLACE TEMP MACRO parse_ratio(t) AS CASE
  WHEN regexp_full_match(t, '-?[0-9]{1,40}(\.[0-9]+)?') THEN TRY_CAST(t AS DOUBLE)
  WHEN regexp_full_match(t, '-?[0-9]{1,3}(,[0-9]{3}){1,12}(\.[0-9]+)?')
    THEN TRY_CAST(replace(t, ',', '') AS DOUBLE)
END;

-- price of an order: VARCHAR; a word (MP, ATO) or a number as sent, without its thousands separators
CREATE OR REPLACE TEMP MACRO parse_price_or_word(t) AS CASE
  WHEN regexp_full_match(t, '-?[0-9]{1,3}(,[0-9]{3})+(\.[0-9]+)?') THEN replace(t, ',', '')
  ELSE nullif(t, '')
END;
