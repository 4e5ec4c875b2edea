-- An index code without what deployments spell differently: in capitals, letters and digits alone.
CREATE OR REPLACE MACRO mart.plain_index_code(index_code) AS (regexp_replace(upper(index_code), '[^A-Z0-9]',
  '', 'g'));
COMMENT ON MACRO mart.plain_index_code IS
  'Index code in capitals, letters and digits alone (VNINDEX for VN-Index): spelling and case vary between '
  'deployments.';
