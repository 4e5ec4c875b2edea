-- Black-Scholes: a European call on one share without dividends. Exercise prices and ratios of covered
-- warrants are changed on ex-dates instead, so that no dividend yield is needed. discounted: exercise
-- price x exp(-rate x years). deviation: volatility x sqrt(years), above 0.
CREATE OR REPLACE MACRO mart.call_price(spot, discounted, deviation) AS (
  spot * mart.normal_cdf(ln(spot / discounted) / deviation + deviation / 2)
    - discounted * mart.normal_cdf(ln(spot / discounted) / deviation - deviation / 2)
);
COMMENT ON MACRO mart.call_price IS
  'Price of a European call by Black-Scholes, in the unit of spot: spot, the discounted exercise price, and '
  'volatility x sqrt(years to maturity).';
