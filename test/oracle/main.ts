/**
 * Recomputes every view of `mart` outside the database and compares: `make interop`. ORACLE_SESSIONS sets the sessions
 * of daily data (40), ORACLE_EVENINGS those with accounts (6). A home as argument is compared instead of a new one.
 */
import { rmSync } from 'node:fs'
import { noteProgram } from '../interop/asked-programs.js'
import { makeHome } from './home.js'
import { hasOracle, recompute } from './recompute.js'

const [given] = process.argv.slice(2)

if (hasOracle()) {
  noteProgram('oracle')
  const { ORACLE_SESSIONS = '40', ORACLE_EVENINGS = '6' } = process.env
  const home = given ?? (await makeHome(Number(ORACLE_SESSIONS), Number(ORACLE_EVENINGS)))
  try {
    process.exitCode = recompute(home) ? 0 : 1
  } finally {
    if (given === undefined) rmSync(home, { recursive: true, force: true })
  }
} else {
  process.stdout.write('oracle: skipped, no PyPI when make interop installed\n')
  noteProgram('oracle', 'not installed')
}
