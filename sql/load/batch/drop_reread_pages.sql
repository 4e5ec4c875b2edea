-- Removes the records of pages that are read again. Bound: ids of the pages as a JSON array
-- writes: staged_record
DELETE FROM staged_record WHERE request_id IN (SELECT unnest(from_json(?, '["VARCHAR"]')));
