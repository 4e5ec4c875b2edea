import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { packageVersion } from 'candlehouse-foundation/package'
import { beforeAll, describe, expect, test } from 'vitest'
import { packageRoot } from '../../src/package.js'
import { onEnd } from '../support/cleanup.js'
import { temporaryFolder } from '../support/folder.js'
import { conformance } from './command.js'
import { EFFECTS } from './effects.js'
import type { Outside } from './outside.js'
import type { Report } from './report.js'
import { htmlOf, textOf } from './report.js'
import { type Bench, openBench } from './virtual-outside.js'

interface Ended {
  readonly code: number
  readonly out: string
  readonly err: string
}

async function bench(options: Parameters<typeof openBench>[0] = {}): Promise<Bench> {
  const opened = await openBench(options)
  onEnd(() => opened.sandbox.close())
  return opened
}

async function run(
  { sandbox, outside }: Bench,
  args: readonly string[],
  { answer, through = outside }: { answer?: string; through?: Outside } = {},
): Promise<Ended> {
  let [out, err] = ['', '']
  const code = await conformance(
    [sandbox.url, ...args],
    { BROKER_API_KEY: sandbox.apiKey, BROKER_API_SECRET: sandbox.apiSecret },
    {
      out: (text) => {
        out += text
      },
      err: (text) => {
        err += text
      },
      ask: answer === undefined ? undefined : () => Promise.resolve(answer),
    },
    through,
  )
  return { code, out, err }
}

describe('before anything is sent', () => {
  test('it says what it will send and what that costs, and sends nothing without a yes', async () => {
    const one = await bench()
    const unasked = await run(one, ['--otp', one.sandbox.otp])
    expect(unasked).toMatchObject({ code: 2, out: '' })
    expect(unasked.err).toMatch(/1 login with your one-time password, which is used up/)
    expect(unasked.err).toMatch(/a running nightly would lose it/)
    for (const { sends } of Object.values(EFFECTS)) expect(unasked.err).toContain(sends)
    expect(unasked.err).not.toContain(one.sandbox.otp)
    const refused = await run(one, ['--otp', one.sandbox.otp], { answer: 'n' })
    expect(refused).toMatchObject({ code: 2, out: '' })
    expect(one.sandbox.requests()).toBe(0)
    const agreed = await run(one, ['--otp', one.sandbox.otp], { answer: 'y' })
    expect(agreed.code).toBe(0)
    expect(agreed.out).toMatch(/, 0 break it, \d+ skipped/)
  })

  test('what is allowed by name moves from what is not done to what is', async () => {
    const one = await bench()
    const { err } = await run(one, ['--allow', 'sms,refresh'])
    const [done = '', notDone = ''] = err.split('It does not do this')
    expect(done).toContain(EFFECTS.sms.costs)
    expect(done).toContain(EFFECTS.refresh.costs)
    expect(notDone).toContain(EFFECTS['wrong-secret'].costs)
    expect(notDone).not.toContain(EFFECTS.sms.costs)
  })

  const silent = { out: () => undefined, ask: undefined }
  const credentials = { BROKER_API_KEY: 'key', BROKER_API_SECRET: 'secret' }
  test('http to another machine is refused, unless its owner says that it does not matter', async () => {
    const asked = async (...args: string[]) => {
      const said: string[] = []
      const noted = { ...silent, err: (text: string) => said.push(text) }
      const code = await conformance(args, credentials, noted, {} as Outside)
      return { code, err: said.join('') }
    }
    const refused = await asked('http://api.example.com', '--yes')
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('could be read on the way') })
    const warned = await asked('http://api.example.com', '--plain-http')
    expect(warned.err).toContain('unencrypted: key, secret, password and tokens can be read on the way')
    for (const here of ['http://localhost:1', 'http://127.0.0.1:1', 'https://api.example.com'])
      expect((await asked(here)).err).not.toContain('unencrypted:')
    expect((await asked('ftp://api.example.com')).err).toContain('is not an address of https or http')
  })

  test.each([
    [['not a url']],
    [['--signature-form', 'body md5']],
    [['--signature-form', 'body', '--signs', 'body']],
    [['--signs', 'head']],
    [['--allow', 'everything']],
    [['--otp', '1', '--smart-otp']],
    [['--resume']],
    [['--rps', '0']],
    [['--session', '/nowhere/session.json']],
    [['--send-otp']],
  ])('%j is not understood: 2', async (args) => {
    const one = await bench()
    const [first = ''] = args
    const code = first.startsWith('--')
      ? (await run(one, [...args, '--yes'])).code
      : await conformance(args, {}, { out: () => undefined, err: () => undefined, ask: undefined })
    expect(code).toBe(2)
    expect(one.sandbox.requests()).toBe(0)
  })
})

describe('files of an earlier run that cannot be used: 2, and nothing is sent', () => {
  const order = { path: '/api/v3/trading/order', id: '7', body: { orderId: '7' } }
  const report = (url: string, outcomes?: unknown): string =>
    JSON.stringify({ format: 1, url, version: packageVersion, outcomes })
  async function resumed(texts: { report?: (url: string) => string; orders?: string }, args = ['--resume']) {
    const one = await bench()
    const folder = temporaryFolder()
    writeFileSync(
      join(folder, 'conformance.json'),
      (texts.report ?? ((url) => report(url, [])))(one.sandbox.url),
    )
    if (texts.orders) writeFileSync(join(folder, 'open-orders.json'), texts.orders)
    const ended = await run(one, ['--otp', one.sandbox.otp, '--yes', '--out', folder, ...args])
    expect([ended.code, one.sandbox.requests()]).toEqual([2, 0])
    return ended.err
  }

  test.each([
    () => '{"format":1,',
    () => 'null',
    (url: string) => report(url),
    (url: string) => report(url, [null]),
    (url: string) => report(url, [{ id: 'x', says: '', why: '', result: 'well', sections: [] }]),
  ])('the report, form %#', async (damaged) => {
    expect(await resumed({ report: damaged })).toContain('conformance.json is damaged')
  })

  test.each(['[{', 'null', '{}', JSON.stringify([{ ...order, path: '/api/v3/account/info' }])])(
    'its open orders: %s',
    async (orders) => {
      expect(await resumed({ orders })).toContain('open-orders.json is damaged')
    },
  )

  test('open orders without --resume: a new run would forget them', async () => {
    expect(await resumed({ orders: JSON.stringify([order]) }, [])).toContain('left orders open')
  })

  test('a file without a key, before it uses up the password', async () => {
    const file = join(temporaryFolder(), 'signing.pem')
    writeFileSync(file, 'no key')
    const one = await bench()
    const ended = await run(one, ['--otp', one.sandbox.otp, '--yes', '--signing-key', file])
    expect([ended.code, one.sandbox.requests()]).toEqual([2, 0])
    expect(ended.err).toContain('does not sign')
  })
})

describe('a report that can be shared', () => {
  let folder = ''
  let texts: Record<string, string> = {}
  let secrets: string[] = []
  let report: Report
  beforeAll(async () => {
    folder = temporaryFolder()
    const one = await openBench({ dialect: 'live' })
    const { apiKey, apiSecret, otp } = one.sandbox
    secrets = [apiKey, apiSecret, otp]
    // A service that shows what it should not, and breaks what it shows.
    const leaky: typeof fetch = async (input, init) => {
      const response = await one.outside.fetch(input, init)
      const { status, headers } = response
      const text = await response.text()
      const token = /"accessToken":"([^"]+)"/.exec(text)?.[1]
      if (token) secrets.push(token)
      const path = new URL(String(input)).pathname
      if (path.endsWith('/account/info')) return new Response(text, { status, headers })
      const spoiled = text
        .replaceAll(/"accountNo":"(\w+)"/g, (all, number: string) =>
          path.endsWith('/accountBalance') ? `"accountNo":"${number} of sandbox-secret"` : all,
        )
        .replaceAll('"side":"B"', '"side":"<b>1234567</b>"')
      return new Response(spoiled, { status, headers })
    }
    const { code } = await run(one, ['--otp', otp, '--yes', '--allow', 'sms', '--out', folder], {
      through: { ...one.outside, fetch: leaky },
    })
    await one.sandbox.close()
    expect(code).toBe(1)
    texts = Object.fromEntries(
      ['json', 'txt', 'html'].map((kind) => [
        kind,
        readFileSync(join(folder, `conformance.${kind}`), 'utf8'),
      ]),
    )
    report = JSON.parse(texts.json ?? '') as Report
  })

  test('has the three results and what was sent, as JSON, text and HTML', () => {
    expect(report.counts.broken).toBeGreaterThan(1)
    expect(report.counts.known).toBeGreaterThan(5)
    expect(report.counts.kept).toBeGreaterThan(30)
    expect(report.requests['POST /api/v3/auth/token']).toBe(1)
    expect(texts.txt).toBe(textOf(report))
    expect(texts.html).toBe(htmlOf(report))
    for (const { id } of report.outcomes) for (const text of Object.values(texts)) expect(text).toContain(id)
  })

  test('shows no secret, no token, no account number and no figure of an account', () => {
    const { outcomes } = report
    const account = outcomes.find(({ id }) => id === 'accountBalance-fields')
    expect(account).toMatchObject({ result: 'broken', why: expect.stringContaining('[account]') })
    expect(outcomes.find(({ id }) => id === 'order-book-shape')?.why).toContain('<b>9999999</b>')
    for (const text of Object.values(texts)) {
      for (const secret of secrets) expect(text).not.toContain(secret)
      expect(text).not.toMatch(/\b088123456\d\b|1234567|eyJ/)
    }
    expect(texts.html).not.toContain('<b>')
    expect(existsSync(join(folder, 'open-orders.json'))).toBe(false)
  })
})

test('a run that was killed goes on with --resume: what was settled is not sent again, open orders are cancelled', async () => {
  const one = await bench({ singleUseOtp: false })
  const { otp } = one.sandbox
  const folder = temporaryFolder()
  const args = ['--otp', otp, '--yes', '--allow', 'orders', '--out', folder]
  let [sent, places] = [0, 0]
  // Its third order is placed, its file of open orders is written, and then it hears of nothing any more.
  const dying: typeof fetch = async (input, init) => {
    sent++
    const response = await one.outside.fetch(input, init)
    if (init?.method === 'POST' && String(input).endsWith('/trading/order') && ++places === 3) {
      const text = await response.text()
      const { orderId } = JSON.parse(text) as { orderId: string }
      const body = { accountNo: '0881234561', orderId, deviceId: 'conformance' }
      writeFileSync(
        join(folder, 'open-orders.json'),
        JSON.stringify([{ path: '/api/v3/trading/order', id: orderId, body }]),
      )
      throw new RangeError('killed')
    }
    return response
  }
  const killing: Outside = { ...one.outside, fetch: dying }
  const first = await run(one, args, { through: killing })
  expect(first.code).toBe(5)
  const settled = (JSON.parse(readFileSync(join(folder, 'conformance.json'), 'utf8')) as Report).counts
  expect(settled.kept).toBeGreaterThan(60)
  const before = sent
  sent = 0
  const counting: typeof fetch = (input, init) => {
    sent++
    return one.outside.fetch(input, init)
  }
  const second = await run(one, [...args, '--resume'], { through: { ...one.outside, fetch: counting } })
  expect(second.code).toBe(0)
  expect(second.err).toContain('first the cancels of 1 orders that the earlier run left open')
  expect(sent).toBeLessThan(before)
  expect(existsSync(join(folder, 'open-orders.json'))).toBe(false)
  const other = await run(one, [...args.slice(0, -1), temporaryFolder(), '--resume'])
  expect(other.code).toBe(2)
})

describe('--resume goes on with the same run only', () => {
  async function begun(): Promise<{ one: Bench; args: string[]; folder: string }> {
    const one = await bench({ singleUseOtp: false })
    const folder = temporaryFolder()
    const args = ['--otp', one.sandbox.otp, '--yes', '--allow', 'refresh', '--out', folder]
    // The session is lost after the market's part.
    const dying: typeof fetch = async (input, init) =>
      String(input).includes('/account/info')
        ? Promise.reject(new Error('gone'))
        : one.outside.fetch(input, init)
    await run(one, args, { through: { ...one.outside, fetch: dying } })
    return { one, args: [...args, '--resume'], folder }
  }

  test('another key, other effects, other options are refused before anything is sent, by name', async () => {
    const { one, args, folder } = await begun()
    const sent = one.sandbox.requests()
    const words = async (more: readonly string[]) => (await run(one, [...args, ...more])).err
    expect(await words(['--allow', 'sms'])).toContain("allowed effects 'refresh', now 'refresh,sms'")
    expect(await words(['--choices'])).toContain("choices 'no', now 'yes'")
    expect(await words(['--signs', 'body'])).toContain("now 'body hex sha256='")
    const setup = join(folder, 'resume.json')
    const text = readFileSync(setup, 'utf8')
    expect(text).not.toContain(one.sandbox.apiKey)
    writeFileSync(setup, text.replace(/"key": "\w+"/, '"key": "0"'))
    expect(await words([])).toContain('another API key')
    writeFileSync(setup, '{')
    expect(await words([])).toContain('resume.json is missing or damaged')
    expect(one.sandbox.requests()).toBe(sent)
  })

  test('a service that answers in another dialect now is noticed, and nothing more is looked at: 2', async () => {
    const { one, args } = await begun()
    const live: typeof fetch = async (input, init) => {
      const response = await one.outside.fetch(input, init)
      if (!String(input).includes('/masterdata')) return response
      const text = (await response.text()).replaceAll('"exchange":', '"board":')
      return new Response(text, { status: response.status, headers: response.headers })
    }
    const ended = await run(one, args, { through: { ...one.outside, fetch: live } })
    expect(ended.code).toBe(2)
    expect(ended.out).toContain('masterdata-fields was kept in the earlier run and is known now')
    expect(ended.out).toContain(' 0 break it')
  })
})

test('the program itself reads only, prints no secret and ends with 0', async () => {
  const { sandbox } = await bench({ singleUseOtp: true })
  const { PATH, HOME } = process.env
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', join(packageRoot, 'test/contract/main.ts'), sandbox.url, '--yes', '--choices'],
    {
      cwd: packageRoot,
      env: {
        PATH,
        HOME,
        BROKER_API_KEY: sandbox.apiKey,
        BROKER_API_SECRET: sandbox.apiSecret,
        BROKER_OTP: sandbox.otp,
      } as NodeJS.ProcessEnv,
    },
  )
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (text += String(part)))
  const code = await new Promise((resolve) => child.on('close', resolve))
  expect([code, text]).toEqual([0, expect.stringMatching(/, 0 break it, \d+ skipped/)])
  for (const secret of [sandbox.apiSecret, sandbox.otp]) expect(text).not.toContain(secret)
})

test('a service that is none is broken: 1; nobody there: 5', async () => {
  const server = createServer((_, response) => response.end('{}'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const env = { BROKER_API_KEY: 'key of nobody', BROKER_API_SECRET: 'secret of nobody' }
  const quiet = { out: () => undefined, err: () => undefined, ask: undefined }
  const { outside } = await bench()
  expect(await conformance([`http://127.0.0.1:${port}`, '--yes'], env, quiet, outside)).toBe(1)
  server.close()
  expect(await conformance(['http://127.0.0.1:1', '--yes'], env, quiet, outside)).toBe(5)
})
