import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { writeReport } from '../../src/report/write.js'
import { temporaryFolder } from '../support/folder.js'
import { loadWalks, openTestWarehouse } from '../support/landed.js'
import { candleWalk, evening, limitWalk, publishTest } from '../support/published.js'

const DAY = '2025-03-14'
const HOSTILE = '<img src=x onerror=alert(1)>'

function block(head: string, sql: string): string {
  return `\`\`\`sql ${head}\n${sql}\n\`\`\`\n`
}

let home: string
beforeAll(async () => {
  home = temporaryFolder()
  const warehouse = await openTestWarehouse(home)
  const bars = ['09:15:00', '09:16:00', '14:45:00']
  await loadWalks(warehouse, home, [
    limitWalk(DAY, 'HPG', HOSTILE, '__proto__'),
    candleWalk('HPG', DAY, bars),
    candleWalk(HOSTILE, DAY, bars),
    candleWalk('__proto__', DAY, bars),
  ])
  await publishTest(warehouse, home)
})

/** The report with these pages. */
async function report(pages: Record<string, string>, effects = evening()): Promise<string> {
  mkdirSync(join(home, 'sql', 'pages'), { recursive: true })
  const out = join(temporaryFolder(), 'report.html')
  for (const [name, text] of Object.entries(pages))
    writeFileSync(join(home, 'sql', 'pages', `${name}.md`), text)
  const settings = { home, palette: 'vietnam', readers: 'owner' } as const
  await writeReport(settings, { day: DAY, out }, effects)
  return readFileSync(out, 'utf8')
}

/** The section of a page. */
function sectionOf(html: string, name: string): string {
  const [, section = ''] = new RegExp(`<section id="page-${name}"([\\s\\S]*?)</section>`).exec(html) ?? []
  return section
}

describe('a page of the user’s own in the report', () => {
  test('is a section with tables and charts, and in the list of sections', async () => {
    const bars = `-- Bars\nSELECT symbol, count(*) AS bars FROM market.candle WHERE timeframe = '1m' GROUP BY ALL ORDER BY 1`
    const chart = `-- Volumes\nSELECT opened_at, symbol, volume FROM market.candle`
    const html = await report({
      a: `# My stocks\n\nText with *stress*.\n\n${block('', bars)}\n${block('chart split=symbol value=volume', chart)}\n${block('chart', '-- By symbol\nSELECT symbol, sum(volume) AS volume FROM market.candle GROUP BY ALL')}`,
    })
    expect(html).toContain('<a href="#page-a">My stocks</a>')
    const section = sectionOf(html, 'a')
    expect(section).toContain('<p>Text with <em>stress</em>.</p>')
    expect(section).toMatch(/<th scope="row">HPG<\/th><td data-title="bars" class="figure">3<\/td>/)
    expect(section.match(/<svg /g)).toHaveLength(4)
    expect(section).toContain('The numbers: Volumes')
    expect(html.indexOf('id="page-a"')).toBeLessThan(html.indexOf('id="findings"'))
  })

  test('has no markup of names and values, and no address that is not the user’s own', async () => {
    const html = await report({
      a: `# <b>x</b>\n\n<script>alert(1)</script>\n\n[a](https://example.com) [b](javascript:alert(1)) [c](#/chart/FPT)\n\n${block('', `SELECT symbol, 'javascript:alert(2)' AS link, '<script>' AS "<i>" FROM market.candle`)}\n${block('chart', 'SELECT symbol, sum(volume) AS volume FROM market.candle GROUP BY ALL')}`,
    })
    const section = sectionOf(html, 'a')
    expect(section).toContain('&lt;img src=x onerror=alert(1)&gt;')
    expect(section).not.toMatch(/<(img|script|b|i|iframe)\b/)
    expect([...section.matchAll(/ href="([^"]*)"/g)].map(([, href]) => href)).toEqual(['https://example.com'])
    expect(section).not.toMatch(/ on\w+="/)
    // A name that every object has harms nothing that comes after it.
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  test('a block that fails says so in its place, and hides nothing else', async () => {
    const html = await report({
      a: [
        '# A',
        block('', 'SELECT prise FROM market.candle'),
        block('', "COPY (SELECT 1) TO '/tmp/x.csv'"),
        block('', "FROM read_text('/etc/passwd')"),
        block('', "ATTACH '/tmp/x.duckdb'"),
        block('', 'SELECT 1; SELECT 2'),
        block('', 'SELECT error(\'a "quoted" failure\')'),
        block('chart over=nothing', 'SELECT opened_at, volume FROM market.candle'),
        block('pie', 'SELECT 1'),
        block('', "SELECT 'the last' AS word"),
      ].join('\n'),
      'Not A Page': '# B',
    })
    const section = sectionOf(html, 'a')
    expect(section.match(/class="finding break"/g)).toHaveLength(8)
    expect(section).toContain('sql/pages/a.md:3: Binder Error: Referenced column &quot;prise&quot; not found')
    expect(section).toContain('sql/pages/a.md:26: over=nothing: the result has no such column for it')
    expect(section).toContain('the last')
    expect(sectionOf(html, 'not-read')).toContain('&quot;Not A Page&quot; cannot be the name of a page')
    expect(html).toContain('id="coverage"')
  })

  test('huge results are cut, whatever they are made of', async () => {
    const html = await report({
      a: [
        '# A',
        block('', '-- Rows\nFROM range(1000000000) r(n)'),
        block('', "-- Texts\nSELECT repeat('x', 20000000) AS text"),
        block(
          '',
          `-- Columns\nSELECT * FROM (SELECT unnest(map_values(map([1], [1])))), ${Array.from({ length: 300 }, (_, n) => `(SELECT ${n}) t${n}(c${n})`).join(', ')}`,
        ),
        block('chart', '-- Points\nSELECT range AS n, range * 2 AS twice FROM range(1000000000)'),
        block('', "-- Lists\nSELECT range(100000) AS numbers, {'a': repeat('y', 100000)} AS pair"),
      ].join('\n'),
    })
    const section = sectionOf(html, 'a')
    expect(section).not.toContain('class="finding break"')
    expect(section).toContain('Rows (the first 50 rows)')
    expect(section).toContain(`${'x'.repeat(200)}… [cut]`)
    expect(section).toContain('The first 1\u202f500 rows.')
    expect(html.length).toBeLessThan(2_000_000)
  })

  test('a statement without an end is stopped, and the blocks after it say why they are not run', async () => {
    let now = 0
    const endless = 'SELECT count(*) FROM range(1000000000000) a, range(1000000000) b'
    const effects = {
      ...evening(),
      monotonic: () => now,
      // The time of the first block is up as soon as it began.
      after: (ms: number, run: () => void) => {
        if (ms < 5_000) return () => {}
        const timer = setImmediate(() => {
          now += 31_000
          run()
        })
        return () => clearImmediate(timer)
      },
    }
    const pages = { a: `# A\n\n${block('', endless)}\n${block('', 'SELECT 2')}` }
    const section = sectionOf(await report(pages, effects), 'a')
    expect(section).toMatch(/a\.md:4: stopped after 10 s/)
    expect(section).toContain('not run: the blocks before it took 30 s')
  })
})
