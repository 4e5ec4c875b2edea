// npm run conformance -- URL: what an owner of real credentials runs. Reads only unless --writes.

import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Outcome } from './suite.js'
import { runSuite } from './suite.js'

const USAGE = `npm run conformance -- URL [--otp CODE] [--writes] [--signing-key FILE] [--signs body|secret+body] [--rps N] [--json]
API key and secret: BROKER_API_KEY and BROKER_API_SECRET.`

function usage(problem: string): never {
  process.stderr.write(`${problem}\n${USAGE}\n`)
  process.exit(2)
}

const { values, positionals } = (() => {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        otp: { type: 'string' },
        writes: { type: 'boolean', default: false },
        'signing-key': { type: 'string' },
        signs: { type: 'string', default: 'secret+body' },
        rps: { type: 'string', default: '5' },
        json: { type: 'boolean', default: false },
      },
    })
  } catch (error) {
    return usage((error as Error).message)
  }
})()
const [url] = positionals
const { BROKER_API_KEY: apiKey, BROKER_API_SECRET: apiSecret } = process.env
if (!url || !URL.canParse(url)) usage('the first argument is the base address of the service')
if (!apiKey || !apiSecret) usage('BROKER_API_KEY and BROKER_API_SECRET are not set')
if (values.signs !== 'body' && values.signs !== 'secret+body') usage('--signs is body or secret+body')
const rps = Number(values.rps)
if (!(rps > 0)) usage('--rps is a number of requests a second')
const loopback = /^(127\.|localhost$|\[::1\]$)/.test(new URL(url).hostname)

const show = ({ id, says, result, why }: Outcome): void => {
  if (values.json) return
  const mark = { ok: 'ok     ', broken: 'BROKEN ', skipped: 'skipped' }[result]
  process.stdout.write(`${mark} ${id}: ${says}${why ? `\n          ${why}` : ''}\n`)
}

try {
  const key = values['signing-key']
  const outcomes = await runSuite(
    {
      ...{ url, apiKey, apiSecret, otp: values.otp, signs: values.signs },
      ...(key ? { signingKey: readFileSync(key, 'utf8') } : {}),
      pauseMs: loopback ? 0 : 1000 / rps,
    },
    { writes: values.writes, onOutcome: show },
  )
  const count = (result: Outcome['result']): number => outcomes.filter((one) => one.result === result).length
  const broken = count('broken')
  if (values.json) process.stdout.write(`${JSON.stringify(outcomes, null, 2)}\n`)
  else process.stdout.write(`\n${count('ok')} ok, ${broken} broken, ${count('skipped')} skipped\n`)
  process.exitCode = broken > 0 ? 1 : 0
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 5
}
