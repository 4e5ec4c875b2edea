import { createInterface } from 'node:readline/promises'
import { type Command, Option } from 'commander'
import type { Effects } from '../../effects.js'
import { LockedError, UsageError } from '../../errors.js'
import { keepSessionAlive, logIn, logOut } from '../../run/session/login.js'
import { requireCredentials } from '../../settings/index.js'
import { renderSession } from '../render/session.js'
import { type Call, type CommonOptions, type Edge, settle, verb } from '../verb.js'

export function loginVerb(edge: Edge, effects: Effects): Command {
  return verb('login', 'log in once with a one-time password; unattended runs go on with the session')
    .option('--otp <code>', 'the one-time password (default: BROKER_OTP, else one is sent and asked for)')
    .addOption(new Option('--smart-otp', 'wait for the approval in the mobile app').conflicts('otp'))
    .action(async (options: CommonOptions & { otp?: string; smartOtp?: true }) => {
      const call = settle(options, edge, effects)
      const code = options.otp ?? call.settings.broker.otp
      if (code) call.terminal.keepSecret([code])
      requireCredentials(call.settings)
      if (options.smartOtp) call.terminal.words('approve the login in the mobile app within 30 seconds')
      const view = await logIn(
        call.settings,
        options.smartOtp ? { smart: true } : { smart: false, code, ask: (message) => askOtp(message, call) },
        call,
      )
      await call.answer(view, () => renderSession(view))
    })
}

export function logoutVerb(edge: Edge, effects: Effects): Command {
  return verb('logout', 'forget the kept session').action(async (options: CommonOptions) => {
    const call = settle(options, edge, effects)
    const forgotten = await logOut(call.settings)
    await call.answer({ forgotten }, () => (forgotten ? 'the session is forgotten' : 'no session was kept'))
  })
}

export function keepaliveVerb(edge: Edge, effects: Effects): Command {
  return verb('keepalive', 'refresh the kept session before it lapses').action(
    async (options: CommonOptions) => {
      const call = settle(options, edge, effects)
      try {
        const view = await keepSessionAlive(call.settings, call)
        await call.answer(view ?? null, () => (view ? renderSession(view) : 'no session is kept'))
      } catch (error) {
        if (!(error instanceof LockedError)) throw error
        await call.answer(null, () => 'a run holds the session and refreshes it itself')
      }
    },
  )
}

/** A line from the keyboard or a pipe. */
async function askOtp(message: string, call: Call): Promise<string> {
  if (message) call.terminal.words(message)
  call.terminal.words('one-time password:')
  const lines = createInterface({ input: process.stdin })
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
  throw new UsageError('no one-time password was given', { hint: 'candlehouse login --otp CODE' })
}
