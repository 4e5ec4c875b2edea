SELECT code, mart.board_of_index(code) AS board
FROM (VALUES ('VN-Index'), ('vnindex'), ('HNX'), ('HNXUpcomIndex'), ('VN30')) spelled(code)
