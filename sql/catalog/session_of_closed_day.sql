-- The rows of mart.session_of_closed_day() of this catalog's files, as constants: its file says why. The
-- comment is that of the macro it replaces, as in latest_session.sql.
CREATE OR REPLACE MACRO mart.session_of_closed_day() AS TABLE
SELECT unnest($days::DATE[]) AS day, unnest($sessions::DATE[]) AS session;
COMMENT ON MACRO TABLE mart.session_of_closed_day IS
  'Days without trading of which a snapshot of an account was taken, and the session before each: in a '
  'catalog constants.';
