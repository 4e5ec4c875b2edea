import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Outcome } from './suite.js'
import { runSuite } from './suite.js'

const USAGE = `npm run conformance -- URL [--otp CODE] [--writes] [--choices] [--signing-key FILE] [--signs body|secret+body] [--rps N] [--json]
API key and secret: BROKER_API_KEY and BROKER_API_SECRET.`

const OPTIONS = {
  otp: { type: 'string' },
  writes: { type: 'boolean', default: false },
  choices: { type: 'boolean', default: false },
  'signing-key': { type: 'string' },
  signs: { type: 'string', default: 'secret+body' },
  rps: { type: 'string', default: '5' },
  json: { type: 'boolean', default: false },
} as const

/** Where the command writes: stdout and stderr of its process. */
export interface Output {
  out: (text: string) => void
  err: (text: string) => void
}

/**
 * What an owner of real credentials runs. Reads only unless --writes.
 *
 * @returns the exit code
 */
export async function conformance(
  args: readonly string[],
  environment: Record<string, string | undefined>,
  { out, err }: Output,
): Promise<number> {
  const usage = (problem: string): number => {
    err(`${problem}\n${USAGE}\n`)
    return 2
  }
  let parsed: ReturnType<typeof parse>
  try {
    parsed = parse(args)
  } catch (error) {
    return usage((error as Error).message)
  }
  const { values, positionals } = parsed
  const [url] = positionals
  const { BROKER_API_KEY: apiKey, BROKER_API_SECRET: apiSecret } = environment
  const { signs } = values
  if (!url || !URL.canParse(url)) return usage('the first argument is the base address of the service')
  if (!apiKey || !apiSecret) return usage('BROKER_API_KEY and BROKER_API_SECRET are not set')
  if (signs !== 'body' && signs !== 'secret+body') return usage('--signs is body or secret+body')
  const rps = Number(values.rps)
  if (!(rps > 0)) return usage('--rps is a number of requests a second')
  const loopback = /^(127\.|localhost$|\[::1\]$)/.test(new URL(url).hostname)

  const show = ({ id, says, result, why }: Outcome): void => {
    if (values.json) return
    const mark = { ok: 'ok     ', broken: 'BROKEN ', skipped: 'skipped' }[result]
    out(`${mark} ${id}: ${says}${why ? `\n          ${why}` : ''}\n`)
  }
  try {
    const key = values['signing-key']
    const outcomes = await runSuite(
      {
        url,
        apiKey,
        apiSecret,
        otp: values.otp,
        signs,
        ...(key ? { signingKey: readFileSync(key, 'utf8') } : {}),
        pauseMs: loopback ? 0 : 1000 / rps,
      },
      { writes: values.writes, choices: values.choices, onOutcome: show },
    )
    const count = (result: Outcome['result']): number =>
      outcomes.filter((one) => one.result === result).length
    const broken = count('broken')
    if (values.json) out(`${JSON.stringify(outcomes, null, 2)}\n`)
    else out(`\n${count('ok')} ok, ${broken} broken, ${count('skipped')} skipped\n`)
    return broken > 0 ? 1 : 0
  } catch (error) {
    err(`${(error as Error).message}\n`)
    return 5
  }
}

function parse(args: readonly string[]) {
  return parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS })
}
