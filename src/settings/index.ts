export { sessionFileOf } from './account-keys.js'
export { plainHttpWarning, requireOwnAddress } from './address.js'
export { type Palette, type PaletteName, palettes, type Tone } from './palette.js'
export { READERS, type Readers } from './readers.js'
export { refuseReadable } from './setting-sources.js'
export type { BrokerSettings, ResolvedSettings, Settings, ShownSetting } from './settings.js'
export { keysOf, namesKeys, requireCredentials, resolveSettings, suffixesOf } from './settings.js'
export { everySetting, openVariables } from './spec.js'
export {
  type ChosenKey,
  type ChosenSettings,
  dotEnvOf,
  problemOf,
  problemOfName,
  tomlOf,
} from './write.js'
