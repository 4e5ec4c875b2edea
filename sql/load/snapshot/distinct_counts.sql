-- Returns the distinct records of each list that comes in pages, by part and account
-- reads: received_conditional_order, received_order_book
SELECT 'orderBook ' || account_no AS name, count(*) AS rows FROM received_order_book GROUP BY ALL
UNION ALL
SELECT 'fcoList ' || account_no, count(*) FROM received_conditional_order GROUP BY ALL;
