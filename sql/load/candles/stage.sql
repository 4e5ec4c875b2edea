-- Bars that were read as columns → staged_record: some of them are to be rejected
-- reads: batch_page, read_record
-- writes: candle_column, staged_record
INSERT INTO staged_record BY NAME
SELECT read_record.* FROM read_record SEMI JOIN (FROM batch_page WHERE is_columns) USING (request_id);

DELETE FROM candle_column;
