FROM mart.trading_minute
WHERE valid_to = DATE '9999-12-31' AND (board, minute) IN (('HOSE', 540), ('HOSE', 555), ('HOSE', 556), ('HOSE', 689), ('HOSE', 690), ('HOSE', 691), ('HOSE', 780), ('HOSE', 870),
  ('HOSE', 871), ('HOSE', 885), ('HOSE', 886), ('HNX', 539), ('HNX', 540), ('HNX', 885), ('HNX', 886), ('HNX', 900), ('HNX', 901),
  ('UPCOM', 870), ('UPCOM', 899), ('UPCOM', 900), ('DERIVATIVE', 525), ('DERIVATIVE', 540))
