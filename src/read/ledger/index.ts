export { type AccountBooks, exportLedger } from './ledger.js'
export { LEDGER_FORMATS, type LedgerFormat } from './text.js'
