SELECT order_id, quantity, price, value = CASE order_id WHEN 'o1' THEN 130560000 ELSE 931070000 END AS is_exact FROM mart.account_fill
