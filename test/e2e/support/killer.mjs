// Loaded into the built CLI with `node --import`: sees every step that changes a disk or the warehouse, and
// kills the process (SIGKILL, no handler runs) before or after the one it is told. The program has no hooks for
// this, so what is killed is what users run.
//
// KILLER_TRACE: file that gets a line a step, its kind · KILLER_AT: 'before N kind' or 'after N kind', the Nth of
// its kind
import fs, { appendFileSync } from 'node:fs'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { isMainThread } from 'node:worker_threads'

const trace = process.env.KILLER_TRACE
const [, moment, nth, target] = /^(before|after) (\d+) (.+)$/.exec(process.env.KILLER_AT ?? '') ?? []
const seen = new Map()

/** What a step does, whichever relation, session or run it does it to. */
function kindOf(label) {
  return label
    .replace(/ \/\S*\/data\//, ' ')
    .replace(/ raw\/journal\/\S*/, ' journal')
    .replace(/ lake\/manifest.json\S*/, ' manifest')
    .replace(/ (raw|lake|logs|tmp)\/\S*/, ' $1')
    .replace(/\.\d+\.tmp/, '')
    .replace(/market\.\w+/, 'market')
    .split(' ')
    .slice(0, 4)
    .join(' ')
}

function around(name, describe, original) {
  return async function (...args) {
    const isMine = isTarget(`${name} ${describe(this, args)}`)
    if (isMine && moment === 'before') die()
    const result = await original.apply(this, args)
    if (isMine && moment === 'after') die()
    return result
  }
}

/** Counts a step; whether it is the one to be killed at. */
function isTarget(label) {
  const kind = kindOf(label)
  const number = (seen.get(kind) ?? 0) + 1
  seen.set(kind, number)
  if (trace) appendFileSync(trace, `${kind}\n`)
  return kind === target && number === Number(nth)
}

/** The same for a call that returns when it is done. */
function aroundSync(name, describe, original) {
  return (...args) => {
    const isMine = isTarget(`${name} ${describe(args)}`)
    if (isMine && moment === 'before') die()
    const result = original(...args)
    if (isMine && moment === 'after') die()
    return result
  }
}

/** The same for a call that ends with a callback. */
function aroundCallback(name, describe, original) {
  return (handle, done) => {
    const isMine = isTarget(`${name} ${describe([handle])}`)
    if (isMine && moment === 'before') die()
    original(handle, (...results) => {
      if (isMine && moment === 'after') die()
      done(...results)
    })
  }
}

function die() {
  process.kill(process.pid, 'SIGKILL')
  // The signal is on its way: nothing more may happen on this thread.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}

if (isMainThread) {
  const opened = new Map()
  const { openSync, writeFileSync } = fs
  fs.openSync = (path, ...rest) => {
    const handle = openSync(path, ...rest)
    opened.set(handle, String(path))
    return handle
  }
  const pathOf = ([path]) => (typeof path === 'number' ? opened.get(path) : String(path))
  // All of src/home/disk.ts.
  for (const name of ['rename', 'link', 'rm', 'mkdir', 'chmod', 'copyFile'])
    fs[`${name}Sync`] = aroundSync(name, pathOf, fs[`${name}Sync`])
  const writeOpen = aroundSync('writeFile', pathOf, writeFileSync)
  // By its path it writes the trace.
  fs.writeFileSync = (file, ...rest) => (typeof file === 'number' ? writeOpen : writeFileSync)(file, ...rest)
  fs.fdatasync = aroundCallback('datasync', pathOf, fs.fdatasync)
  fs.fsync = aroundCallback('sync', pathOf, fs.fsync)
  syncBuiltinESMExports()
  killStatements()
}

/**
 * The program bundles DuckDB's client, so statements are seen where they reach its native library. The functions of that
 * cannot be replaced; the module that hands them out can, before the program imports it.
 */
function killStatements() {
  const require = createRequire(import.meta.url)
  const native = require('@duckdb/node-bindings')
  const functions = Object.fromEntries(
    Object.getOwnPropertyNames(native).map((name) => {
      const value = native[name]
      return [name, typeof value === 'function' ? value.bind(native) : value]
    }),
  )
  const { query, extract_statements, prepare_extracted_statement, execute_prepared } = functions
  const texts = new WeakMap()
  const remember = async (result, sql) => {
    const prepared = await result
    texts.set(prepared.extracted_statements ?? prepared, sql)
    return prepared
  }
  Object.assign(functions, {
    extract_statements: (connection, sql) => remember(extract_statements(connection, sql), sql),
    prepare_extracted_statement: (connection, statements, index) =>
      remember(prepare_extracted_statement(connection, statements, index), texts.get(statements)),
    query: around('sql', (_, [, sql]) => shortened(sql), query),
    execute_prepared: around('sql', (_, [prepared]) => shortened(texts.get(prepared)), execute_prepared),
  })
  require.cache[require.resolve('@duckdb/node-bindings')].exports = functions
}

function shortened(sql) {
  return String(sql)
    .replaceAll(/--.*|\s+/g, ' ')
    .trim()
    .slice(0, 60)
}
