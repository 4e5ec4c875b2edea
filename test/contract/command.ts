import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { packageVersion } from 'candlehouse-foundation/package'
import { createSigner } from '../../packages/client/src/signing/signer.js'
import { announcementOf } from './announcement.js'
import { type Asked, readArguments, USAGE } from './command-options.js'
import type { OpenOrder } from './open-orders.js'
import { type Outside, realOutside } from './outside.js'
import type { Target } from './probe.js'
import { shownUrl } from './redaction.js'
import { lineOf, reportOf, summaryOf } from './report.js'
import { ReportFiles, type RunSetup } from './report-files.js'
import type { SignIn } from './session.js'
import type { Stopped } from './stopped.js'
import { type Outcome, type Run, runSuite } from './suite.js'

/** Where the command writes, and who answers its questions. */
export interface Terminal {
  out: (text: string) => void
  err: (text: string) => void
  /** Asks the person at the terminal; undefined where nobody is there. */
  ask: ((question: string) => Promise<string>) | undefined
}

const EXITS: Readonly<Record<Stopped['kind'], number>> = {
  credentials: 3,
  session: 3,
  service: 5,
  changed: 2,
}

/**
 * What an owner of real credentials runs.
 *
 * @returns the exit code: 0 nothing is broken · 1 something is · 2 not as asked · 3 refused or lost session · 5 no service
 */
export async function conformance(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  terminal: Terminal,
  outside: Outside = realOutside,
): Promise<number> {
  let asked: Asked
  let target: Target
  let files: ReportFiles | undefined
  let earlier: Outcome[] = []
  let leftOpen: OpenOrder[] = []
  try {
    asked = readArguments(args, environment)
    target = targetOf(asked, terminal, outside)
    files = asked.out === undefined ? undefined : new ReportFiles(asked.out)
    leftOpen = files?.readOpenOrders() ?? []
    if (asked.resume) earlier = files?.readEarlier(setupOf(asked)) ?? []
    if (leftOpen.length > 0 && !asked.resume)
      throw new Error(
        `an earlier run left orders open: add --resume to cancel them, or delete ${asked.out}/open-orders.json`,
      )
  } catch (error) {
    terminal.err(`${(error as Error).message}\n\n${USAGE}\n`)
    return 2
  }
  if (!(await isAgreed(asked, leftOpen.length, terminal))) return 2
  const head = {
    url: shownUrl(asked.url),
    version: packageVersion,
    at: new Date(outside.now()).toISOString(),
    allowed: [...asked.allowed].sort(),
  }
  const soFar: Outcome[] = [...earlier]
  files?.writeSetup(setupOf(asked))
  const run = await runSuite(
    target,
    {
      allowed: asked.allowed,
      choices: asked.choices,
      earlier,
      leftOpen,
      onOpenOrders: (orders) => files?.writeOpenOrders(orders),
      onOutcome: (outcome) => {
        soFar.push(outcome)
        if (!asked.json) terminal.out(`${lineOf(outcome)}\n`)
        files?.write(reportOf(head, runSoFar(soFar)))
      },
    },
    outside,
  )
  const report = reportOf(head, run)
  files?.write(report)
  terminal.out(asked.json ? `${JSON.stringify(report, null, 2)}\n` : `\n${summaryOf(report)}\n`)
  if (run.stopped && run.stopped.kind !== 'changed' && asked.out !== undefined)
    terminal.err(
      `To go on: the same command with --resume${asked.signIn === 'otp' ? ' and a new password' : ''}\n`,
    )
  if (report.counts.broken > 0) return 1
  return run.stopped ? EXITS[run.stopped.kind] : 0
}

function setupOf({ url, apiKey, signIn, signatureForm, allowed, choices }: Asked): RunSetup {
  return {
    service: shownUrl(url),
    version: packageVersion,
    key: apiKey && createHash('sha256').update(apiKey).digest('hex'),
    // Every way with a password reads the same.
    'sign-in':
      signIn === 'key' ? 'without a password' : signIn === 'file' ? 'session file' : 'with a password',
    'signature form': signatureForm,
    'allowed effects': [...allowed].sort().join(',') || 'none',
    choices: choices ? 'yes' : 'no',
  }
}

/** The report of a run that may be killed at the next request. */
function runSoFar(outcomes: readonly Outcome[]): Run {
  return {
    outcomes,
    stopped: { kind: 'service', why: 'the run has not ended' },
    openOrders: [],
    sent: { requests: new Map(), waits: new Map() },
  }
}

async function isAgreed(asked: Asked, leftOpen: number, { err, ask }: Terminal): Promise<boolean> {
  err(`${announcementOf({ ...asked, url: shownUrl(asked.url), leftOpen })}\n`)
  if (asked.isAgreed) return true
  if (!ask) {
    err('Nothing was sent. Add --yes to start it without being asked.\n')
    return false
  }
  if (/^y(es)?$/i.test((await ask('Start? [y/N] ')).trim())) return true
  err('Nothing was sent.\n')
  return false
}

/** @throws Error when a file cannot be read, holds no key, or the session is of another service */
function targetOf(asked: Asked, terminal: Terminal, outside: Outside): Target {
  const { url, apiKey, apiSecret, signatureForm, signingKeyFile, timeoutMs, patienceMs, requestsPerSecond } =
    asked
  const signIn = signInOf(asked, terminal, outside)
  if (signIn.by === 'file') signIn.read()
  return {
    url,
    apiKey,
    apiSecret,
    signatureForm,
    signIn,
    ...(signingKeyFile ? { signingKey: keyIn(signingKeyFile, asked) } : {}),
    manners: { pauseMs: 1000 / requestsPerSecond, timeoutMs, patienceMs },
  }
}

function signInOf(
  { signIn, otp = '', sessionFile = '', url }: Asked,
  { ask }: Terminal,
  outside: Outside,
): SignIn {
  if (signIn === 'otp') return { by: 'otp', otp }
  if (signIn === 'smart-otp') return { by: 'smart-otp', sleep: outside.sleep }
  if (signIn === 'file') return { by: 'file', read: () => tokenIn(sessionFile, url) }
  if (signIn === 'key') return { by: 'key' }
  if (!ask) throw new Error('--send-otp needs a terminal to ask for the password')
  return { by: 'sent-otp', ask: async () => (await ask('One-time password: ')).trim() }
}

/** @throws Error when the file is not a session of the service */
function tokenIn(file: string, url: string): string {
  const { accessToken, baseUrl } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
  if (typeof accessToken !== 'string') throw new Error(`${file} has no accessToken`)
  if (typeof baseUrl !== 'string' || shownUrl(baseUrl) !== shownUrl(url))
    throw new Error(`${file} is the session of another service`)
  return accessToken
}

/** @throws Error before the password is used up, when the file is not an RSA key; nothing of the file is in it */
function keyIn(file: string, { signatureForm: form, apiSecret: secret }: Asked): string {
  const privateKey = readFileSync(file, 'utf8')
  try {
    createSigner({ privateKey, form, secret })
    return privateKey
  } catch (error) {
    throw new Error(`--signing-key: ${file} does not sign: ${(error as Error).message}`)
  }
}
