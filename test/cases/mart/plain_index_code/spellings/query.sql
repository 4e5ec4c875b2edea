SELECT code, mart.plain_index_code(code) AS plain
FROM (VALUES ('VN-Index'), ('vnindex'), ('VN30'), ('HNX 30'), ('UPCOM_Index'), ('-')) spelled(code)
