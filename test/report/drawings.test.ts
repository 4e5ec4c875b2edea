import { expect, test } from 'vitest'
import { type SignedBar, signedBars } from '../../src/report/charts/bars.js'
import { Drawings } from '../../src/report/charts/drawings.js'
import { html } from '../../src/report/html.js'

const bar = (name: string, value: number): SignedBar => ({ name, value, label: `${value} %`, color: 'red' })

/** A page with a chart of these bars. */
async function pageWith(bars: readonly SignedBar[], former: string): Promise<string> {
  const drawings = new Drawings()
  const figure = drawings.draw('Moves', (room) => signedBars(bars, room))
  return await drawings.finish(html`<main>${figure}</main>`.text, former)
}

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
