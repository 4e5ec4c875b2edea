-- The latest session of this catalog's files, as a date (sql/mart/session/latest_session.sql says why). The
-- comment is that of the macro it replaces: to look it up in the catalog takes 16 ms.
CREATE OR REPLACE MACRO mart.latest_session() AS ($day);
COMMENT ON MACRO mart.latest_session IS
  'Latest session that has daily summaries, a DATE. In a catalog a constant: conditions on it are as fast as '
  'on a date as written.';
