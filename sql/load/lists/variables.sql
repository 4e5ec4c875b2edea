-- When the session after the trading date begins: what a list says from then on is about that session
-- writes: variable next_open
SET VARIABLE next_open = $next_open::TIMESTAMPTZ;
