import type { TradingBoard } from 'candlehouse-foundation/market/board'
import { readReference } from 'candlehouse-foundation/market/reference'
import { tickAt, tickLadder } from 'candlehouse-foundation/market/tick'
import { expect, test } from 'vitest'
import { warehouseOf } from '../audit/world.js'

/** All ladders of the present era apply. */
const DAY = '2026-03-02'

test('mart.tick_size is the ladder of ticks.csv', async () => {
  const rows = readReference('ticks', ['board', 'kind', 'price_from', 'valid_to']).filter(
    ({ valid_to }) => valid_to === '',
  )
  const asked = rows.flatMap(({ board, kind, price_from }) =>
    [0.5, 9_990, 10_000, 49_950, 50_000, Number(price_from)].map((price) => ({
      board,
      kind,
      price,
      day: DAY,
    })),
  )
  const database = await warehouseOf({})
  const sizes = await database.rows<{ tick: number | null }>(
    `SELECT CAST(mart.tick_size(ask.board, ask.kind, ask.price, ask.day) AS DOUBLE) AS tick
     FROM (SELECT unnest(from_json(?, '[{"board":"VARCHAR","kind":"VARCHAR","price":"DOUBLE","day":"DATE"}]')) AS ask)`,
    [JSON.stringify(asked)],
  )
  const expected = asked.map(({ board, kind, price }) =>
    tickAt(tickLadder(board as TradingBoard, kind as string, DAY), price),
  )
  expect(sizes.map(({ tick }) => tick)).toEqual(expected)
})

test('what no ladder is known of has no tick', async () => {
  const database = await warehouseOf({})
  expect(
    await database.rows(`SELECT mart.tick_size('UPCOM', 'covered_warrant', 1000, DATE '${DAY}') AS tick`),
  ).toEqual([{ tick: null }])
})
