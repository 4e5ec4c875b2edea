import { expect, test } from 'vitest'
import { type SignedBar, signedBars } from '../../src/report/charts/bar-charts.js'
import { INK } from '../../src/report/charts/draw.js'
import { Drawings } from '../../src/report/charts/drawings.js'
import { namedLines } from '../../src/report/charts/line-charts.js'
import { marketMap } from '../../src/report/charts/market-map.js'
import { html } from '../../src/report/html.js'
import type { SymbolDay } from '../../src/report/model/market.js'

const bar = (name: string, value: number): SignedBar => ({ name, value, label: `${value} %`, color: 'red' })

/** A page with a chart of these bars. */
async function pageWith(bars: readonly SignedBar[], former: string): Promise<string> {
  const drawings = new Drawings()
  const figure = drawings.draw('Moves', (room) => signedBars(bars, room))
  return await drawings.finish(html`<main>${figure}</main>`.text, former)
}

test('symbols with the names of members of every object are drawn, and objects stay as they were', async () => {
  const before = Object.getOwnPropertyNames(Object.prototype)
  const symbols = [...before, 'HPG'].map(
    (symbol, nth): SymbolDay => ({
      symbol,
      kind: 'stock',
      board: 'HOSE',
      name: symbol,
      sector: symbol,
      close: 10_000,
      ref_price: 9900,
      change_part: 0.01,
      match_value: 1e9 - nth,
      deal_value: null,
      deal_volume: null,
      streak: null,
      foreign_buy: null,
      foreign_sell: null,
      room_used: null,
      at_ceiling: false,
      at_floor: false,
      touched_ceiling: false,
      touched_floor: false,
    }),
  )
  const drawings = new Drawings()
  const figure = drawings.draw('Market', (room) => marketMap(symbols, room))
  const bars = drawings.draw('Moves', (room) =>
    signedBars(
      symbols.map(({ symbol }) => bar(symbol, 1)),
      room,
    ),
  )
  const page = await drawings.finish(html`<main>${figure}${bars}</main>`.text, '')
  expect(page).toContain('HPG')
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before)
  for (const name of before) expect(Object.keys(Reflect.get({}, name) ?? {})).toEqual([])
})

test('a drawing that the former page or the one before has is taken from it, and any other is drawn', async () => {
  const bars = [bar('HPG', 1.5), bar('FPT', -2)]
  const page = await pageWith(bars, '')
  expect(page.match(/<svg /g)).toHaveLength(2)
  expect(page).not.toContain('<!--')
  expect(await pageWith(bars, page)).toBe(page)
  const signed = page.replaceAll('<svg ', '<svg id="former" ')
  expect(await pageWith(bars, signed)).toBe(signed)
  for (const changed of [
    [bar('HPG', 1.5), bar('FPT', -3)],
    [bar('HPG', 1.5), { ...bar('FPT', -2), label: '-2.0 %' }],
    [bar('HPG', 1.5), { ...bar('FPT', -2), name: 'VCB' }],
  ]) {
    const drawn = await pageWith(changed, signed)
    expect(drawn).not.toContain('former')
    expect(drawn).not.toBe(page)
  }
})

test('a line stands where its days are in the calendar: a week without a snapshot is a long step', () => {
  const line = { name: 'A', label: '', color: INK, dash: 'solid', values: [1, 2, 3] } as const
  const { option } = namedLines(['2025-06-27', '2025-06-30', '2025-07-07'], [line], () => String, {
    isNarrow: false,
  } as Parameters<typeof namedLines>[3])
  expect(option).toMatchObject({
    xAxis: { min: 0, max: 10 },
    series: [
      {
        data: [
          [0, 1],
          [3, 2],
          [10, 3],
        ],
      },
    ],
  })
  const { formatter } = (option as { xAxis: { axisLabel: { formatter: (place: number) => string } } }).xAxis
    .axisLabel
  expect([0, 3, 10].map(formatter)).toEqual(['27 Jun', '30 Jun', '7 Jul'])
})
