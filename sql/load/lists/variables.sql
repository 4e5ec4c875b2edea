-- Start of the session after the trading date: a list received from then on is about that session
-- writes: variable next_open
SET VARIABLE next_open = $next_open::TIMESTAMPTZ;
