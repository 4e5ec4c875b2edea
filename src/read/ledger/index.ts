export { type AccountBooks, exportLedger } from './ledger.js'
