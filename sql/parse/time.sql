-- Strict dates and instants. A closed list of formats, each proven by a cast that refuses days that do not
-- exist: YYYY/MM/DD, YYYY-MM-DD and DD/MM/YYYY, each alone or with HH:mm:ss, and ISO 8601 with an offset.
-- Without an offset the text is exchange time (UTC+7), never UTC.

-- local_time: TIMESTAMP in exchange time
CREATE OR REPLACE TEMP MACRO parse_local_time(t) AS CASE
  -- the cast reads both separators, but not two in one date
  WHEN regexp_full_match(t,
      '[0-9]{4}[/-][0-9]{2}[/-][0-9]{2}(( |T)([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,6})?)?')
    THEN TRY_CAST(t AS TIMESTAMP)
  WHEN regexp_full_match(t, '[0-9]{2}/[0-9]{2}/[0-9]{4}( ([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9])?')
    THEN TRY_CAST(t[7:10] || '-' || t[4:5] || '-' || t[1:2] || t[11:] AS TIMESTAMP)
  WHEN regexp_full_match(t,
      '[0-9]{4}-[0-9]{2}-[0-9]{2}[ T]'
      || '([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,6})?(Z|[+-][0-9]{2}:[0-9]{2})')
    THEN timezone('UTC', TRY_CAST(t AS TIMESTAMPTZ)) + INTERVAL 7 HOUR
END;

-- trading day: DATE
CREATE OR REPLACE TEMP MACRO parse_day(t) AS CAST(parse_local_time(t) AS DATE);

-- whether the text names a time of day beside the date
CREATE OR REPLACE TEMP MACRO has_time(t) AS length(t) > 10;

-- instant: TIMESTAMPTZ. Formats of parse_local_time, of which a bare day is midnight in exchange time, and
-- whole seconds or milliseconds since 1970, which some deployments send for order times.
CREATE OR REPLACE TEMP MACRO parse_instant(t) AS CASE
  WHEN regexp_full_match(t, '[0-9]{13}')
    THEN TRY_CAST(make_timestamp(TRY_CAST(t AS BIGINT) * 1000) AS TIMESTAMPTZ)
  WHEN regexp_full_match(t, '[0-9]{10}')
    THEN TRY_CAST(make_timestamp(TRY_CAST(t AS BIGINT) * 1000000) AS TIMESTAMPTZ)
  ELSE CAST(parse_local_time(t) - INTERVAL 7 HOUR AS TIMESTAMPTZ)
END;
