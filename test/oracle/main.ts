/**
 * Recomputes every view of `mart` outside the database and compares: `make interop`. ORACLE_SESSIONS sets the sessions
 * of daily data (40), ORACLE_EVENINGS those with accounts (6). A home as argument is compared instead of a new one.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../src/package.js'
import { makeHome } from './home.js'

const python = join(packageRoot, 'test/interop/.venv/bin/python')
const [given] = process.argv.slice(2)

if (existsSync(python)) {
  const { ORACLE_SESSIONS = '40', ORACLE_EVENINGS = '6' } = process.env
  const home = given ?? (await makeHome(Number(ORACLE_SESSIONS), Number(ORACLE_EVENINGS)))
  try {
    const { status } = spawnSync(python, ['-u', join(packageRoot, 'test/oracle/main.py'), home], {
      stdio: 'inherit',
    })
    process.exitCode = status ?? 1
  } finally {
    if (given === undefined) rmSync(home, { recursive: true, force: true })
  }
} else {
  process.stdout.write('oracle: skipped, no PyPI when make interop installed\n')
}
