// Loaded into the built CLI with `node --import`: sees every step that changes a disk or the warehouse, and
// kills the process (SIGKILL, no handler runs) before or after the one it is told. The program has no hooks for
// this, so what is killed is what users run.
//
// KILLER_TRACE: file that gets a line a step, its kind · KILLER_AT: 'before N kind' or 'after N kind', the Nth of
// its kind
import { appendFileSync } from 'node:fs'
import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { isMainThread } from 'node:worker_threads'
import { DuckDBConnection } from '@duckdb/node-api'

const trace = process.env.KILLER_TRACE
const [, moment, nth, target] = /^(before|after) (\d+) (.+)$/.exec(process.env.KILLER_AT ?? '') ?? []
const seen = new Map()

/** What a step does, whichever relation, session or run it does it to. */
function kindOf(label) {
  return label
    .replace(/ \/\S*\/data\//, ' ')
    .replace(/ lake\/manifest.json\S*/, ' manifest')
    .replace(/ (raw|lake|logs)\/\S*/, ' $1')
    .replace(/\.\d+\.tmp/, '')
    .replace(/market\.\w+/, 'market')
    .split(' ')
    .slice(0, 4)
    .join(' ')
}

function around(name, describe, original) {
  return async function (...args) {
    const kind = kindOf(`${name} ${describe(this, args)}`)
    const number = (seen.get(kind) ?? 0) + 1
    seen.set(kind, number)
    const mine = kind === target && number === Number(nth)
    if (trace) appendFileSync(trace, `${kind}\n`)
    if (mine && moment === 'before') die()
    const result = await original.apply(this, args)
    if (mine && moment === 'after') die()
    return result
  }
}

function die() {
  process.kill(process.pid, 'SIGKILL')
  // The signal is on its way: nothing more may happen on this thread.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}

if (isMainThread) {
  for (const name of ['rename', 'link', 'rm', 'mkdir', 'chmod', 'writeFile'])
    promises[name] = around(name, (_, [path]) => String(path), promises[name])
  const handle = await promises.open(new URL(import.meta.url))
  const proto = Object.getPrototypeOf(handle)
  await handle.close()
  for (const name of ['write', 'writeFile', 'appendFile', 'sync', 'datasync'])
    proto[name] = around(name, () => 'file', proto[name])
  syncBuiltinESMExports()
  const statement = (_, [sql]) =>
    String(sql)
      .replaceAll(/--.*|\s+/g, ' ')
      .trim()
      .slice(0, 60)
  for (const name of ['run', 'runAndReadAll'])
    DuckDBConnection.prototype[name] = around('sql', statement, DuckDBConnection.prototype[name])
}
