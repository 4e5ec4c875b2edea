-- Records of the pages being read → staged_record
-- reads: typed_record
-- writes: staged_record
INSERT INTO staged_record BY NAME
SELECT *, NULL::VARCHAR AS payload FROM typed_record;
