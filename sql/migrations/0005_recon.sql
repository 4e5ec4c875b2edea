-- Trust in the numbers: what the rules found, what a person overruled, and what judging needs of pages and revisions.
CREATE SCHEMA recon;
CREATE SCHEMA mart;

-- grain: one row per rule, subject, trading_date: the latest verdict
CREATE TABLE recon.finding (
  rule         INTEGER,
  title        VARCHAR,
  subject      VARCHAR,
  trading_date DATE,
  run_id       VARCHAR,
  severity     VARCHAR,
  state        VARCHAR,
  expected     VARCHAR,
  actual       VARCHAR,
  residual     DECIMAL(38,4),
  judged       BIGINT,
  offenders    BIGINT,
  relations    VARCHAR,
  note         VARCHAR,
  accepted     VARCHAR,
  since        TIMESTAMPTZ,
  judged_at    TIMESTAMPTZ
);

COMMENT ON TABLE recon.finding IS 'One row per rule, subject and trading date, also when it passes: the verdict of the latest run that judged it.';
COMMENT ON COLUMN recon.finding.rule IS 'Number of the rule: sql/rules/NN_name.sql.';
COMMENT ON COLUMN recon.finding.title IS 'What the rule says.';
COMMENT ON COLUMN recon.finding.subject IS 'market, or the account judged; * for a rule about accounts where there is none to judge.';
COMMENT ON COLUMN recon.finding.trading_date IS 'Session judged; for accounts the trading date of the snapshot.';
COMMENT ON COLUMN recon.finding.run_id IS 'Run that judged: ops.run.run_id.';
COMMENT ON COLUMN recon.finding.severity IS 'error: a break withholds the session of its relations from publication; warn: it is reported.';
COMMENT ON COLUMN recon.finding.state IS 'pass; soft: worth a look, no fault; break; not_evaluable: what it needs is not there, see note.';
COMMENT ON COLUMN recon.finding.expected IS 'What the worst offender should have been; null when it passes.';
COMMENT ON COLUMN recon.finding.actual IS 'What the worst offender is.';
COMMENT ON COLUMN recon.finding.residual IS 'Actual less expected of the worst offender, in the unit of its value; null where there is no difference to take.';
COMMENT ON COLUMN recon.finding.judged IS 'Rows that could be judged.';
COMMENT ON COLUMN recon.finding.offenders IS 'Rows for which the rule does not hold: recon.offender has them, at most 1,000.';
COMMENT ON COLUMN recon.finding.relations IS 'Relations of the offenders, comma-separated; null when there are none.';
COMMENT ON COLUMN recon.finding.note IS 'Why it could not be judged.';
COMMENT ON COLUMN recon.finding.accepted IS 'Why a person overruled it (--accept RULE --because); null when nobody did.';
COMMENT ON COLUMN recon.finding.since IS 'When this state was first reached.';
COMMENT ON COLUMN recon.finding.judged_at IS 'When it was judged.';

-- grain: one row per rule, subject, trading_date, relation, key
CREATE TABLE recon.offender (
  rule         INTEGER,
  subject      VARCHAR,
  trading_date DATE,
  relation     VARCHAR,
  key          VARCHAR,
  state        VARCHAR,
  expected     VARCHAR,
  actual       VARCHAR,
  residual     DECIMAL(38,4)
);

COMMENT ON TABLE recon.offender IS 'One row per row for which a rule does not hold; at most 1,000 a finding, the largest residuals.';
COMMENT ON COLUMN recon.offender.rule IS 'Rule: recon.finding.rule.';
COMMENT ON COLUMN recon.offender.subject IS 'Subject: recon.finding.subject.';
COMMENT ON COLUMN recon.offender.trading_date IS 'Session: recon.finding.trading_date.';
COMMENT ON COLUMN recon.offender.relation IS 'Relation of the row.';
COMMENT ON COLUMN recon.offender.key IS 'Key of the row, a JSON object: what candlehouse trace takes.';
COMMENT ON COLUMN recon.offender.state IS 'break or soft.';
COMMENT ON COLUMN recon.offender.expected IS 'What it should be.';
COMMENT ON COLUMN recon.offender.actual IS 'What it is.';
COMMENT ON COLUMN recon.offender.residual IS 'Actual less expected; null where there is no difference to take.';

-- grain: one row per rule, subject, trading_date, accepted_at
CREATE TABLE recon.acceptance (
  rule         INTEGER,
  subject      VARCHAR,
  trading_date DATE,
  because      VARCHAR,
  offenders    VARCHAR,
  accepted_at  TIMESTAMPTZ
);

COMMENT ON TABLE recon.acceptance IS 'One row per finding that a person overruled; kept in raw/accepted.ndjson.';
COMMENT ON COLUMN recon.acceptance.rule IS 'Rule: recon.finding.rule.';
COMMENT ON COLUMN recon.acceptance.subject IS 'Subject: recon.finding.subject.';
COMMENT ON COLUMN recon.acceptance.trading_date IS 'Session: recon.finding.trading_date.';
COMMENT ON COLUMN recon.acceptance.because IS 'Why, in the words of the person.';
COMMENT ON COLUMN recon.acceptance.offenders IS 'SHA-256 of the offenders that were seen: others are not accepted with them.';
COMMENT ON COLUMN recon.acceptance.accepted_at IS 'When.';

ALTER TABLE ops.run ADD COLUMN IF NOT EXISTS judged_at TIMESTAMPTZ;
COMMENT ON COLUMN ops.run.judged_at IS 'When the rules had judged what the run brought; null while they have not.';

ALTER TABLE ops.request ADD COLUMN IF NOT EXISTS items_count BIGINT;
ALTER TABLE ops.request ADD COLUMN IF NOT EXISTS pages_count BIGINT;
ALTER TABLE ops.request ADD COLUMN IF NOT EXISTS page_size BIGINT;
COMMENT ON COLUMN ops.request.items_count IS 'Records of the whole list, as the service counted them; null where it does not count.';
COMMENT ON COLUMN ops.request.pages_count IS 'Pages of the whole list, as the service counted them; null where it does not count.';
COMMENT ON COLUMN ops.request.page_size IS 'Records a page, as the service says; null where it does not.';

ALTER TABLE market.revision ADD COLUMN IF NOT EXISTS known_since TIMESTAMPTZ;
COMMENT ON COLUMN market.revision.known_since IS 'Since when the row had stood as it was before this change: receipt of the page that brought it.';
