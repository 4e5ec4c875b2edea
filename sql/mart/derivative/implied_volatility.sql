-- The volatility at which a European call costs its price, a fraction per year: by bisection between 0 and
-- 5 (500 %), whose 50 halvings leave less than 1e-14. Null where there is none: the price is not above
-- spot - discounted (what the call is worth without any volatility), or not below its price at 500 %; and
-- where no time is left. The list of widths is folded into the volatility: up where the call at it is too
-- cheap.
CREATE OR REPLACE MACRO mart.implied_volatility(price, spot, discounted, years) AS (
  CASE WHEN years > 0 AND spot > 0 AND discounted > 0 AND price > greatest(spot - discounted, 0)
    AND price < mart.call_price(spot, discounted, 5 * sqrt(years)) THEN
    list_reduce(list_transform(range(1, 51), lambda halving: 5.0::DOUBLE / pow(2, halving)),
      lambda volatility, width: volatility + width
        * CASE WHEN mart.call_price(spot, discounted, volatility * sqrt(years)) < price THEN 1 ELSE -1 END)
  END
);
COMMENT ON MACRO mart.implied_volatility IS
  'Volatility per year, a fraction, at which a European call costs price: price, spot and the discounted '
  'exercise price in one unit, years to maturity. Null where no volatility up to 5 (500 %) does.';
