import { EFFECT_NAMES, EFFECTS, type EffectName } from './effects.js'
import type { Session } from './session.js'

/** Requests of a run that only reads, counted on the sandbox: of market data, and of accounts and orders. */
export const READS = { market: 110, accounts: 90 }

export interface Plan {
  readonly url: string
  readonly signIn: Session['signIn']['by']
  readonly allowed: ReadonlySet<EffectName>
  readonly requestsPerSecond: number
  /** Whether what is sent is not encrypted on its way to another machine. */
  readonly isInClear: boolean
  /** Orders that an earlier run left open. */
  readonly leftOpen: number
}

const SIGN_INS: Readonly<Record<Plan['signIn'], string>> = {
  key: '1 login without a one-time password. It ends the session that this key has now: a running nightly would lose it.',
  otp: '1 login with your one-time password, which is used up. It ends the session that this key has now: a running nightly would lose it.',
  'sent-otp':
    '1 request for a one-time password: an SMS or e-mail to you. Then 1 login, which ends the session that this key has now: a running nightly would lose it.',
  'smart-otp':
    '1 approval request to your mobile app. Then logins until you approve; the last ends the session that this key has now: a running nightly would lose it.',
  file: 'no login and no refresh: it uses the session of the other program, which goes on. Both share the rate limit of the key.',
}

/** What a run will send and what that costs, for its owner to agree to. */
export function announcementOf({
  url,
  signIn,
  allowed,
  requestsPerSecond,
  isInClear,
  leftOpen,
}: Plan): string {
  const reads = READS.market + (signIn === 'key' ? 0 : READS.accounts)
  const effects = EFFECT_NAMES.filter((name) => allowed.has(name))
  const total = reads + effects.reduce((sum, name) => sum + EFFECTS[name].requests, 0)
  const rest = EFFECT_NAMES.filter((name) => !allowed.has(name))
  const pace = Number.isFinite(requestsPerSecond)
    ? `at most ${requestsPerSecond} per second, about ${Math.ceil(total / requestsPerSecond / 60)} min`
    : 'without a pause'
  return [
    `This run sends to ${url}, ${pace}:`,
    ...(isInClear
      ? ['  unencrypted: key, secret, password and tokens can be read on the way (--plain-http).']
      : []),
    `  ${SIGN_INS[signIn]}`,
    ...(leftOpen === 0 ? [] : [`  first the cancels of ${leftOpen} orders that the earlier run left open.`]),
    `  about ${reads} GET requests: market data${signIn === 'key' ? '' : ', accounts and orders'}. Some of them are invalid on purpose, to see them refused.`,
    ...effects.map(
      (name) =>
        `  ${name}: ${EFFECTS[name].sends} (about ${EFFECTS[name].requests} requests). Costs: ${EFFECTS[name].costs}.`,
    ),
    ...(rest.length === 0
      ? []
      : ['It does not do this, unless you allow it by name with --allow NAME,NAME:']),
    ...rest.map((name) => `  ${name}: ${EFFECTS[name].sends}. Costs: ${EFFECTS[name].costs}.`),
  ].join('\n')
}
