import { queryHome } from './story.js'

/** A return against the reference price that the adjusted prices do not give. */
export interface Unequal {
  symbol: string
  trading_date: string
  return_1: number
  from_adjusted: number
}

/**
 * Sessions of symbols whose return against the reference price is not the one from adjusted prices: from what the
 * exchange sets references from, adjusted, of the symbol's session before to the adjusted close. Counts those compared
 * too, since none compared is none unequal.
 */
export async function compareReturns(home: string): Promise<{ compared: number; unequal: Unequal[] }> {
  const steps = `WITH step AS (
      SELECT day.symbol, day.trading_date, back.return_1,
        adjusted.close_adjusted / lag(CASE
          WHEN instrument.kind = 'future' THEN adjusted.settlement_price_adjusted
          WHEN day.board = 'UPCOM' THEN round(adjusted.average / 100) * 100 * adjusted.adjustment_factor
          ELSE adjusted.close_adjusted END) OVER (PARTITION BY day.symbol ORDER BY day.trading_date) - 1 AS from_adjusted
      FROM mart.daily day
      JOIN mart.daily_adjusted adjusted USING (symbol, trading_date)
      JOIN mart.daily_return back USING (symbol, trading_date)
      JOIN mart.instrument instrument USING (symbol)
      WHERE day.close > 0
    ) SELECT * FROM step WHERE from_adjusted IS NOT NULL`
  const [counted] = await queryHome<{ compared: string }>(home, `SELECT count(*) AS compared FROM (${steps})`)
  const unequal = await queryHome<Unequal>(
    home,
    `FROM (${steps}) WHERE abs(return_1 - from_adjusted) > 1e-12 ORDER BY symbol, trading_date LIMIT 20`,
  )
  return { compared: Number(counted?.compared), unequal }
}
