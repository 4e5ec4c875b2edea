export { lakeTables } from './ledger.js'
export { type Publication, publish } from './publish.js'
export { type Swept, sweep } from './sweep.js'
