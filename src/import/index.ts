export type { ImportFlags } from './columns.js'
export { type History, openHistory } from './import-history.js'
export { type LandContext, landHistory } from './land.js'
export { IMPORTED, type Imported, importedOf } from './subject.js'
