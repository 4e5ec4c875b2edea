-- The text of one member of a flat JSON object that DuckDB wrote: numbers as they stand there, which ->>
-- reads through a double (999999999999.123456 came back as 999999999999.1234). A quote inside a text is
-- escaped, so that "name": is always the member. Null for null and for what is not there.
CREATE OR REPLACE MACRO mart.member_text(object, name) AS (
  CASE regexp_extract(object, '"' || name || '":([^",}]+)', 1)
    WHEN '' THEN json_extract_string(object, '$.' || name)
    WHEN 'null' THEN NULL
    ELSE regexp_extract(object, '"' || name || '":([^",}]+)', 1)
  END
);
COMMENT ON MACRO mart.member_text IS 'Text of one member of a flat JSON object, numbers as they stand there.';
