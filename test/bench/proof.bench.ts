/** CPU-seconds per million candles of proving pages, beside JSON.parse of the same pages, in one run: `make bench`. */
import { provePage } from 'candlehouse-foundation/json/page'
import { candlePages } from './pages.js'
import { median, record } from './results.js'

const PAGES = Number(process.env.BENCH_PAGES ?? 1000)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3)

function cpuOf(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6 / ((PAGES * 1000) / 1e6)
}

const bodies = (await candlePages(PAGES)).map(({ body }) => Buffer.from(body))
const spent: { parse: number; proof: number }[] = []
for (let round = 1; round <= ROUNDS; round++) {
  const parse = cpuOf(() => {
    for (const body of bodies) JSON.parse(body.toString('utf8'))
  })
  const proof = cpuOf(() => {
    for (const body of bodies) if (!provePage(body).list?.plain) throw new Error('a page is not plain')
  })
  spent.push({ parse, proof })
}
record({
  what: 'the proof that a page is whole JSON',
  ours: `${median(spent.map(({ proof }) => proof)).toFixed(2)} CPU-s per million candles`,
  beside: `JSON.parse ${median(spent.map(({ parse }) => parse)).toFixed(2)}`,
  ratio: median(spent.map(({ parse, proof }) => proof / parse)),
})
