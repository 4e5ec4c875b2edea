-- grain: one row per index, symbol and validity, as the lists of members received up to the instant have it
-- instant: a TIMESTAMPTZ, or its text with a zone ('2025-03-14 18:00:00+07'). A validity goes from the first
-- of these lists that names the symbol to the next one that does not: a list of an earlier day that came
-- later opens and closes nothing. Not known: the first of several answers of one session, of which the
-- latest counts; where it opened a validity that is as it was, its day is known all the same. request_id and
-- loaded_at are null where the row was written anew since.
CREATE OR REPLACE MACRO mart.index_member_as_known_on(instant) AS TABLE
WITH latest_answer AS (
  SELECT coverage.key AS index_code, coverage.window_from AS session, page.walk, page.received_at
  FROM ops.coverage coverage JOIN ops.request page USING (request_id)
  WHERE coverage.dataset = 'indexMembers' AND coverage.state = 'complete'
), known_list AS (
  SELECT index_code, session FROM latest_answer
  WHERE received_at <= CAST(instant AS TIMESTAMPTZ)
  UNION
  -- an answer that a later one replaced: a validity that it opened begins with its session, or, where a late
  -- list parted it, with a later one
  SELECT member.index_code, min(member.valid_from) AS session
  FROM market.index_member member
  JOIN ops.request page USING (request_id)
  ANTI JOIN latest_answer ON latest_answer.walk = page.walk
  WHERE member.loaded_at <= CAST(instant AS TIMESTAMPTZ)
  GROUP BY member.index_code, page.walk
), numbered_list AS (
  SELECT *, row_number() OVER lists AS ordinal, lead(session) OVER lists AS next_session
  FROM known_list
  WINDOW lists AS (PARTITION BY index_code ORDER BY session)
), named_member AS (
  SELECT member.*, list.session, list.next_session,
    list.ordinal - row_number() OVER (
      PARTITION BY member.index_code, member.symbol ORDER BY list.ordinal) AS stay
  FROM market.index_member member
  JOIN numbered_list list
    ON list.index_code = member.index_code AND list.session >= member.valid_from
      AND coalesce(list.session < member.valid_to, true)
)
SELECT
  index_code, symbol,
  min(session) AS valid_from,
  CASE WHEN count(*) = count(next_session) THEN max(next_session) END AS valid_to,
  first(request_id ORDER BY session) FILTER (WHERE loaded_at <= CAST(instant AS TIMESTAMPTZ)) AS request_id,
  first(loaded_at ORDER BY session) FILTER (WHERE loaded_at <= CAST(instant AS TIMESTAMPTZ)) AS loaded_at
FROM named_member
GROUP BY index_code, symbol, stay;
COMMENT ON MACRO TABLE mart.index_member_as_known_on IS
  'Members of indexes as the lists received up to an instant name them.';
