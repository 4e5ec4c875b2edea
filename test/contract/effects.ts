// What checks do besides reading, and what that costs the owner of a key. None of it happens unless it is allowed by name.

export const EFFECTS = {
  orders: {
    sends:
      'places about 25 buy orders of 100 shares and conditional orders far from the market, and cancels each',
    costs:
      'orders at the floor in your first cash or margin account, for some seconds each, of a share that is 3 % above its floor or more; buying power meanwhile. One matches only if the price falls to the floor in these seconds: you would own 100 shares, and the run says so',
    requests: 120,
  },
  refresh: {
    sends: 'exchanges the refresh token of its own session once, and sends a wrong one',
    costs: 'the tokens of this run are replaced',
    requests: 6,
  },
  'second-login': {
    sends: 'logs in once more before the login with the one-time password, without it',
    costs: 'the session that the key has now ends one step earlier',
    requests: 4,
  },
  sms: {
    sends: 'asks for a one-time password once, and twice with a field missing',
    costs: 'one SMS, e-mail or approval request to you',
    requests: 3,
  },
  'forged-token': {
    sends: 'sends an unsigned token (alg:none), a token of nobody, and your token under another scheme',
    costs: 'it looks like an attack: the service may log it or suspend the key',
    requests: 4,
  },
  'wrong-secret': {
    sends: 'logs in with your key and a wrong secret, and with a field missing',
    costs: 'failed logins of your key: the service may count them and suspend the key',
    requests: 4,
  },
} as const

export type EffectName = keyof typeof EFFECTS

export const EFFECT_NAMES = Object.keys(EFFECTS) as EffectName[]
