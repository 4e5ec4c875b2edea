/**
 * What a publication to a bucket costs, for docs/scale-out.md: `npx tsx test/interop/traffic.ts`, with versitygw as `make
 * interop` installs it. The first five sessions of the demo market, the night after them, a run that changes nothing; with the
 * marts of the default, and without. Seconds are those of `publish` with the bucket, less those of `publish` without one.
 */
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Home, makeHome } from './home.js'
import { AWS, isInstalled, services, startService } from './s3.js'

const NIGHTS = ['2025-06-24', '2025-06-25']
const WITHOUT_BUCKET = { CANDLEHOUSE_LAKE_URL: '' }
const say = (line: string): boolean => process.stdout.write(`${line}\n`)

async function timed(home: Home, args: readonly string[], environment?: NodeJS.ProcessEnv): Promise<string> {
  const started = performance.now()
  const { code, out } = await home.run(args, environment)
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${out}`)
  const seconds = ((performance.now() - started) / 1000).toFixed(2)
  return `${/s3:.*/.exec(out)?.[0] ?? 'no bucket'}, ${seconds} s`
}

async function measure(name: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'candlehouse-traffic-'))
  mkdirSync(join(folder, 'service'))
  const [service] = services
  if (!service) throw new Error('no service')
  const { endpoint, process: child } = await startService(service, join(folder, 'service'))
  const home = makeHome({
    ...AWS,
    ...environment,
    CANDLEHOUSE_LAKE_URL: 's3://desk/lake',
    AWS_ENDPOINT_URL_S3: endpoint,
  })
  try {
    say(name)
    for (const night of NIGHTS) {
      await timed(home, ['nightly', '--date', night], WITHOUT_BUCKET)
      const { out } = await home.run([
        'sql',
        `SELECT count(*) FROM market.candle WHERE timeframe = '1m' AND trading_date = DATE '${night}'`,
        '--csv',
      ])
      say(`  ${night}, ${out.split('\n')[1]} bars of the session`)
      for (const what of [WITHOUT_BUCKET, undefined, undefined])
        say(`    ${await timed(home, ['publish'], what)}`)
      const sizes = ['catalog.duckdb', 'lake.ducklake'].map((file) => {
        const { size } = statSync(join(folder, 'service/data/desk/lake', file))
        return `${file} ${(size / 1e6).toFixed(1)} MB`
      })
      say(`    ${sizes.join(', ')}`)
    }
  } finally {
    child.kill()
    home.remove()
    rmSync(folder, { recursive: true, force: true })
  }
}

if (services[0] && isInstalled(services[0])) {
  await measure('marts of the default', { CANDLEHOUSE_LAKE_MARTS: undefined })
  await measure('without marts', { CANDLEHOUSE_LAKE_MARTS: 'none' })
} else say('versitygw is not installed: make interop')
