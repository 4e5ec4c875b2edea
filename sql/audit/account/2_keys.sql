-- Keys of account rows (the snapshot is the one of the trading date), and whether a snapshot was taken while
-- its session ran: then two of its answers may differ by what happened between them.
CREATE OR REPLACE TEMP MACRO account_key(account_no) AS (
  CAST(json_object('account_no', account_no) AS VARCHAR)
);
CREATE OR REPLACE TEMP MACRO account_key_of(account_no, name, value) AS (
  CAST(json_merge_patch(json_object('account_no', account_no),
    json_object(CAST(name AS VARCHAR), value)) AS VARCHAR)
);
CREATE OR REPLACE TEMP MACRO while_trading(received_at, as_of) AS (
  coalesce(mart.exchange_time(received_at) BETWEEN as_of + INTERVAL 525 MINUTE AND as_of
    + INTERVAL 910 MINUTE, false)
);
CREATE OR REPLACE TEMP MACRO is_terminal(order_status) AS (order_status IN ('FF', 'FFPC', 'CL', 'RJ', 'EX'));
