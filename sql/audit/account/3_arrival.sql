-- grain: one row per account with a snapshot of the trading date: when it was received. It is the same
--   whenever the snapshot is checked: recon.finding.since.
INSERT INTO evidence_arrival
SELECT account_no, as_of, received_at FROM audit_account;
