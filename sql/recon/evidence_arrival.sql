-- grain: one row per subject and trading date checked: when its stored rows last changed
CREATE OR REPLACE TEMP TABLE evidence_arrival (subject VARCHAR, trading_date DATE, arrived_at TIMESTAMPTZ);
