import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { RunningSandbox } from 'candlehouse-sandbox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startWithEffects } from '../../packages/sandbox/src/start.js'
import { systemEffects } from '../../src/effects.js'
import { packageRoot } from '../../src/package.js'
import { seeded } from '../e2e/support/seeded.js'
import { LONG } from '../support/long.js'
import { conformance } from './command.js'
import { mutated, mutations } from './mutations.js'
import { CHECKS, runSuite } from './suite.js'

const SEED = 20_251_120

let sandbox: RunningSandbox
beforeAll(async () => {
  // Mid-morning of a day that has everything: orders, conditional orders, positions, contracts.
  sandbox = await startWithEffects({ date: '2025-11-20', trade: '11:00', drive: true }, systemEffects)
})
afterAll(() => sandbox.close())

const target = () => {
  const { url, apiKey, apiSecret, otp } = sandbox
  return { url, apiKey, apiSecret, otp }
}
const wanted = (ids: readonly string[]): string[] =>
  CHECKS.map(({ id }) => id).filter((id) => ids.some((begin) => id.startsWith(begin)))

test('the sandbox keeps every sentence of the specification, and its choices where that has none', async () => {
  const outcomes = await runSuite(target(), { writes: true, choices: true })
  expect(outcomes.filter(({ result }) => result !== 'ok')).toEqual([])
  expect(new Set(outcomes.map(({ id }) => id)).size).toBe(CHECKS.length)
  expect(CHECKS.length).toBeGreaterThan(90)
})

describe('a mutation of the sandbox turns the suite red', () => {
  // Every third one; `make soak` tries them all.
  const all = mutations(seeded(SEED))
  test('there are fifty at least, each one its own', () => {
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
    expect(all.length).toBeGreaterThanOrEqual(50)
  })
  test.each(all.filter((_, at) => LONG || at % 3 === 0))('$id', async (mutation) => {
    const only = wanted(mutation.checks)
    expect(only).not.toEqual([])
    const outcomes = await runSuite(target(), { writes: true, only }, mutated(mutation))
    expect(outcomes.filter(({ result }) => result === 'broken')).not.toEqual([])
  })
})

describe('the command', () => {
  const run = (args: string[], env: Record<string, string> = {}) =>
    new Promise<{ code: number | null; out: string }>((resolve, reject) => {
      const { PATH, HOME } = process.env
      const child = spawn(
        process.execPath,
        ['--import', 'tsx', join(packageRoot, 'test/contract/main.ts'), ...args],
        {
          cwd: packageRoot,
          env: { PATH, HOME, ...env } as NodeJS.ProcessEnv,
        },
      )
      let out = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (out += String(text)))
      child.on('error', reject)
      child.on('close', (code) => resolve({ code, out }))
    })
  const credentials = () => ({ BROKER_API_KEY: sandbox.apiKey, BROKER_API_SECRET: sandbox.apiSecret })

  test('reads only unless --writes, and prints no secret', async () => {
    const { code, out } = await run([sandbox.url, '--otp', sandbox.otp], credentials())
    expect([code, out]).toEqual([0, expect.stringMatching(/ 0 broken, \d+ skipped/)])
    expect(out).toContain('skipped order-place')
    expect(out).toContain('skipped choice-bearer-case')
    for (const secret of [sandbox.apiSecret, sandbox.otp]) expect(out).not.toContain(secret)
  })

  test.each([
    [['not a url'], {}, 2],
    [['http://127.0.0.1:1'], {}, 2],
    [['http://127.0.0.1:1'], { BROKER_API_KEY: 'k', BROKER_API_SECRET: 's' }, 5],
  ])('%j %j ends with %d', async (args, env, code) => {
    const quiet = { out: () => undefined, err: () => undefined }
    expect(await conformance(args, env, quiet)).toBe(code)
  })

  test('ends with 1 against a service that is none', async () => {
    const server = createServer((_, response) => response.end('{}'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const { code } = await run([`http://127.0.0.1:${port}`], credentials())
    server.close()
    expect(code).toBe(1)
  })
})
