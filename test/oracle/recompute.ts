import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../src/package.js'

const PYTHON = join(packageRoot, 'test/interop/.venv/bin/python')

/** Whether `make interop` could install what the recomputation needs: not where PyPI is out of reach. */
export const hasOracle = (): boolean => existsSync(PYTHON)

/** Recomputes every view of a home and prints the differences. @returns whether there are none */
export function recompute(home: string): boolean {
  const { status } = spawnSync(PYTHON, ['-u', join(packageRoot, 'test/oracle/main.py'), home], {
    stdio: 'inherit',
  })
  return status === 0
}
