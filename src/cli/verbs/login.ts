import { createInterface } from 'node:readline/promises'
import { type Command, Option } from 'commander'
import type { Effects } from '../../effects.js'
import { LockedError, UsageError } from '../../errors.js'
import { renderSession } from '../render/session.js'
import { type Call, type CommonOptions, type Edge, prepareCall, verb } from '../verb.js'

export function loginVerb(edge: Edge, effects: Effects): Command {
  return verb('login', 'Log in once with a one-time password; unattended runs then use this session')
    .option(
      '--otp <code>',
      'one-time password (default: BROKER_OTP; if unset, the service sends one and you are asked for it)',
    )
    .addOption(
      new Option('--smart-otp', 'log in by approval in the mobile app instead of a code').conflicts('otp'),
    )
    .action(async (options: CommonOptions & { otp?: string; smartOtp?: true }) => {
      const call = await prepareCall(options, edge, effects)
      const code = options.otp ?? call.settings.broker.otp
      if (code) call.terminal.keepSecret([code])
      const { checkCredentials } = await import('../credentials.js')
      checkCredentials(call, 'key')
      if (options.smartOtp) call.terminal.words('approve the login in the mobile app within 30 seconds')
      const { logIn } = await import('../../run/session/login.js')
      const view = await logIn(
        call.settings,
        options.smartOtp
          ? { smart: true }
          : { smart: false, code, ask: (message) => askOtp(message, edge, call) },
        call,
      )
      await call.answer(view, () => renderSession(view))
    })
}

export function logoutVerb(edge: Edge, effects: Effects): Command {
  return verb('logout', 'Delete the stored session').action(async (options: CommonOptions) => {
    const call = await prepareCall(options, edge, effects)
    const { logOut } = await import('../../run/session/login.js')
    const forgotten = await logOut(call.settings)
    await call.answer({ forgotten }, () =>
      forgotten ? 'the stored session is deleted' : 'no session was stored',
    )
  })
}

export function keepaliveVerb(edge: Edge, effects: Effects): Command {
  return verb('keepalive', 'Refresh the stored session before it expires').action(
    async (options: CommonOptions) => {
      const call = await prepareCall(options, edge, effects)
      const { keepSessionAlive } = await import('../../run/session/login.js')
      try {
        const view = await keepSessionAlive(call.settings, call)
        await call.answer(view ?? null, () => (view ? renderSession(view) : 'no session is stored'))
      } catch (error) {
        if (!(error instanceof LockedError)) throw error
        await call.answer(null, () => 'nothing to do: a run is using the session and refreshes it')
      }
    },
  )
}

/** Reads one line from the keyboard or a pipe. @throws UsageError at the end of input */
async function askOtp(message: string, edge: Edge, call: Call): Promise<string> {
  if (message) call.terminal.words(message)
  call.terminal.words('one-time password:')
  const lines = createInterface({ input: edge.stdin })
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
