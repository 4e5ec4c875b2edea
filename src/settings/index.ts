export type { BrokerSettings, ResolvedSettings, Settings, ShownSetting } from './settings.js'
export { requireCredentials, resolveSettings } from './settings.js'
