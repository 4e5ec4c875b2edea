import { createInterface } from 'node:readline/promises'
import { LockedError, UsageError } from 'candlehouse-foundation/errors'
import { type Command, Option } from 'commander'
import type { KeptKey, SecondFactor } from '../../run/session/login.js'
import { namesKeys } from '../../settings/index.js'
import { oneTimePassword } from '../argument.js'
import { chosenKey } from '../key.js'
import { renderSession } from '../render/key-status.js'
import type { Call, NewVerb } from '../verb.js'

export function loginVerb(verb: NewVerb): Command {
  return verb('login', 'Log in once with a one-time password; unattended runs then use this session')
    .option(
      '--otp <code>',
      'one-time password (default: BROKER_OTP; if unset, the service sends one and you are asked for it)',
      oneTimePassword,
    )
    .addOption(
      new Option('--smart-otp', 'log in by approval in the mobile app instead of a code').conflicts('otp'),
    )
    .option('--key <name>', 'key of [[accounts]] to log in with; needed where there are several')
    .writes(async (prepared, options: { otp?: string; smartOtp?: true; key?: string }) => {
      const settings = chosenKey(prepared.settings, options.key, 'login')
      const call = { ...prepared, settings }
      const code = options.otp ?? settings.broker.otp
      if (code) call.terminal.keepSecret([code])
      const { requireCallCredentials } = await import('../credentials.js')
      requireCallCredentials(call, 'key')
      const { logIn } = await import('../../run/session/login.js')
      const view = await logIn(
        call.settings,
        options.smartOtp ? approval(call) : { smart: false, code, ask: (message) => askOtp(message, call) },
        call,
      )
      await call.answer(view, () => renderSession(view))
    })
}

export function logoutVerb(verb: NewVerb): Command {
  return verb('logout', 'Delete the stored session')
    .option('--key <name>', 'key whose session to delete, also one that candlehouse.toml no longer names')
    .writes(async (call, { key }: { key?: string }) => {
      const { settings } = call
      const { logOut } = await import('../../run/session/login.js')
      const { keysWithSession } = await import('../../run/session/token-file.js')
      const isStored = key !== undefined && keysWithSession(settings.home).includes(key)
      const forgotten = await logOut(
        isStored ? { ...settings, keyName: key } : chosenKey(settings, key, 'logout'),
        call.effects,
      )
      await call.answer({ forgotten }, () =>
        forgotten ? 'the stored session is deleted' : 'no session was stored',
      )
    })
}

export function keepaliveVerb(verb: NewVerb): Command {
  return verb('keepalive', 'Refresh the stored session of every key before it expires').writes(
    async (call) => {
      const { keepSessionAlive, keepSessionsAlive } = await import('../../run/session/login.js')
      try {
        if (namesKeys(call.settings))
          return await answerKeys(call, await keepSessionsAlive(call.settings, call))
        const view = await keepSessionAlive(call.settings, call)
        await call.answer(view ?? null, () => (view ? renderSession(view) : NONE_STORED))
      } catch (error) {
        if (!(error instanceof LockedError)) throw error
        await call.answer(null, () => 'nothing to do: a run is using the session and refreshes it')
      }
    },
  )
}

const NONE_STORED = 'no session is stored'

/** One line per key. Where a session is lost the exit code is that of the failure. */
async function answerKeys(call: Call, keys: readonly KeptKey[]): Promise<void> {
  const views = keys.map(({ name, session, failure }) => ({
    name,
    session,
    failure: failure?.message ?? null,
  }))
  await call.answer({ keys: views }, () =>
    views
      .map(
        ({ name, session, failure }) =>
          `key ${name}: ${failure ?? (session ? renderSession(session) : NONE_STORED)}`,
      )
      .join('\n'),
  )
  const failure = keys.find((key) => key.failure)?.failure
  if (failure) call.endWith(failure.exitCode)
}

function approval(call: Call): SecondFactor {
  const announce = () => call.terminal.words('approve the login in the mobile app within 30 seconds')
  return { smart: true, announce }
}

/** Reads one line from the keyboard or a pipe. @throws UsageError at the end of input */
async function askOtp(message: string, call: Call): Promise<string> {
  if (message) call.terminal.words(message)
  call.terminal.words('one-time password:')
  const lines = createInterface({ input: call.stdin })
  try {
    for await (const line of lines) {
      const code = line.trim()
      if (code === '') continue
      call.terminal.keepSecret([code])
      return code
    }
  } finally {
    lines.close()
  }
  throw new UsageError('no one-time password was entered', { hint: 'candlehouse login --otp CODE' })
}
