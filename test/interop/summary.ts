/** The end of `make interop`: which programs ran. Exits with 1 when none did, or one that REQUIRED names (or `all`) did not. */
import { existsSync, readFileSync } from 'node:fs'
import { type Noted, summaryOf } from './asked-programs.js'

const { ASKED_FILE = '', REQUIRED = '' } = process.env
const lines = existsSync(ASKED_FILE) ? readFileSync(ASKED_FILE, 'utf8').split('\n').filter(Boolean) : []
const noted = lines.map((line) => JSON.parse(line) as Noted)
const { text, code } = summaryOf(noted, REQUIRED.split(/[ ,]+/).filter(Boolean))
process.stdout.write(`${text}\n`)
process.exitCode = code
