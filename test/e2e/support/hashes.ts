import { join } from 'node:path'
import { tableHashes } from '../../../src/read/index.js'

/** Relations that tell of the runs themselves: a run that was killed is one more than a run that was not. */
const LOG = ['ops.run', 'ops.publication']

/** Hash a published relation, of the home in a working folder. */
export async function hashes(cwd: string): Promise<Record<string, string>> {
  const all = await tableHashes(join(cwd, 'data'))
  return Object.fromEntries(Object.entries(all).filter(([name]) => !LOG.includes(name)))
}

/** Those that a rerun or a replay restores: all but the requests, since a rerun sends some of them again. */
export async function restorableHashes(cwd: string): Promise<Record<string, string>> {
  const { 'ops.request': _, ...rest } = await hashes(cwd)
  return rest
}
