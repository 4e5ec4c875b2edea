export { plainHttpWarning, requireOwnAddress } from './address.js'
export type { BrokerSettings, ResolvedSettings, Settings, ShownSetting } from './settings.js'
export { requireCredentials, resolveSettings, suffixesOf } from './settings.js'
export { refuseReadable } from './sources.js'
