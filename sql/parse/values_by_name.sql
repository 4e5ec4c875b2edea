-- Figures of records that have dozens of them, by the names of their fields. One expression reads them all:
-- planning one expression per figure took 41 ms for the 71 figures of a margin, a list takes 8.

-- amounts of money: a MAP from each name to DECIMAL(24,4). `r` is a MAP from names to texts
CREATE OR REPLACE TEMP MACRO money_of(r, names) AS
  map_from_entries(list_transform(names, lambda name: {'name': name, 'value': parse_money(r[name])}));

-- ratios: a MAP from each name to DOUBLE
CREATE OR REPLACE TEMP MACRO ratios_of(r, names) AS
  map_from_entries(list_transform(names, lambda name: {'name': name, 'value': parse_ratio(r[name])}));

-- what could not be read of amounts of money, in the order of `names`; null where all was read
CREATE OR REPLACE TEMP MACRO unread_money(r, names, money) AS nullif(array_to_string(
  list_transform(names,
    lambda name: unread(name, r[name], money[name], 'a plain number with at most 4 decimals')),
  '; '), '');

-- the same where those that `ratios` has are ratios
CREATE OR REPLACE TEMP MACRO unread_figures(r, names, money, ratios) AS nullif(array_to_string(
  list_transform(names, lambda name: CASE
    WHEN map_contains(ratios, name) THEN unread(name, r[name], ratios[name], 'a plain number')
    ELSE unread(name, r[name], money[name], 'a plain number with at most 4 decimals')
  END), '; '), '');
