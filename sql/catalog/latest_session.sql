-- The latest session of this catalog's files, as a date (sql/mart/session/latest_session.sql says why).
CREATE OR REPLACE MACRO mart.latest_session() AS ($day);
COMMENT ON MACRO mart.latest_session IS $comment;
