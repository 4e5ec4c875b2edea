import { type Client, loginBySmartOtp, queries } from 'candlehouse-client/reading'
import type { Effects } from '../../effects.js'
import type { SourceSession } from '../source.js'

export function sessionOf({ session, accounts }: Client, effects: Effects): SourceSession {
  return {
    ensure: (signal) => session.ensure(signal),
    get readsAccounts() {
      return session.grade === 'trading'
    },
    get isDowngraded() {
      return session.isDowngraded
    },
    get otpProblem() {
      return session.otpProblem
    },
    keepAlive: (signal) => session.keepAlive(signal),
    async logIn(proof, signal) {
      if (proof && 'isApprovedInApp' in proof) return await loginBySmartOtp(session, effects, signal)
      return await session.login(proof, signal)
    },
    async requestOtp(signal) {
      const { message } = await session.requestOtp(signal)
      return message
    },
    async refusalOfAccounts(signal) {
      const { outcome, error } = await accounts.get('accountInfo', queries.accountInfo(), signal)
      return outcome === 'refused' ? `${error?.code ?? ''} ${error?.message ?? ''}`.trim() : undefined
    },
  }
}
