-- grain: one row per key of the dataset that the file may bring
-- reads: blocking_session
-- writes: received_row, unblocked_row
CREATE OR REPLACE TEMP TABLE unblocked_row AS
SELECT * FROM received_row ANTI JOIN blocking_session USING ($scope);

-- grain: one row per key of the dataset
CREATE OR REPLACE TEMP VIEW received_row AS
SELECT * FROM unblocked_row;
