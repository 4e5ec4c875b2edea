-- grain: one row per equity position record of the pages being loaded; reason is null if it is valid
-- reads: snapshot_record
-- writes: typed_record
-- written by make sql from packages/foundation/src/fields: change the table of fields, not this file
CREATE OR REPLACE TEMP TABLE typed_record AS
WITH typed AS (
  SELECT
    request_id, ordinal, received_at, account_no AS asked_account, r,
    coalesce(nullif(r.accountNo, ''), account_no) AS account_no,
    nullif(r.symbol, '') AS symbol,
    parse_quantity(r.quantity) AS quantity,
    parse_quantity(r.blockQuantity) AS block_quantity,
    parse_quantity(r.dividendQuantity) AS dividend_quantity,
    parse_quantity(r.buyingQuantity) AS buying_quantity,
    parse_quantity(r.boughtQuantity) AS bought_quantity,
    parse_quantity(r.sellingQuantity) AS selling_quantity,
    parse_quantity(r.soldQuantity) AS sold_quantity,
    parse_quantity(r.t1SellQuantity) AS t1_sell_quantity,
    parse_quantity(r.t2SellQuantity) AS t2_sell_quantity,
    parse_price(r.costPrice) AS cost_price,
    parse_quantity(r.mortgageQuantity) AS mortgage_quantity,
    parse_quantity(r.sellableQuantity) AS sellable_quantity,
    parse_quantity(r.restrictedQuantity) AS restricted_quantity
  FROM snapshot_record
)
SELECT
  request_id, ordinal, received_at, account_no, symbol, quantity, block_quantity, dividend_quantity,
  buying_quantity, bought_quantity, selling_quantity, sold_quantity, t1_sell_quantity, t2_sell_quantity,
  cost_price, mortgage_quantity, sellable_quantity, restricted_quantity,
  nullif(concat_ws('; ',
    missing('symbol', symbol),
    not_asked('accountNo', r.accountNo, asked_account),
    unread('quantity', r.quantity, quantity, 'a whole number'),
    unread('blockQuantity', r.blockQuantity, block_quantity, 'a whole number'),
    unread('dividendQuantity', r.dividendQuantity, dividend_quantity, 'a whole number'),
    unread('buyingQuantity', r.buyingQuantity, buying_quantity, 'a whole number'),
    unread('boughtQuantity', r.boughtQuantity, bought_quantity, 'a whole number'),
    unread('sellingQuantity', r.sellingQuantity, selling_quantity, 'a whole number'),
    unread('soldQuantity', r.soldQuantity, sold_quantity, 'a whole number'),
    unread('t1SellQuantity', r.t1SellQuantity, t1_sell_quantity, 'a whole number'),
    unread('t2SellQuantity', r.t2SellQuantity, t2_sell_quantity, 'a whole number'),
    unread('costPrice', r.costPrice, cost_price, 'a plain number with at most 6 decimals'),
    unread('mortgageQuantity', r.mortgageQuantity, mortgage_quantity, 'a whole number'),
    unread('sellableQuantity', r.sellableQuantity, sellable_quantity, 'a whole number'),
    unread('restrictedQuantity', r.restrictedQuantity, restricted_quantity, 'a whole number')
  ), '') AS reason
FROM typed;
