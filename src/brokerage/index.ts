export type * from './contract.js'
export type * from './facets.js'
export type * from './requests.js'
export type { Session } from './session/session.js'
