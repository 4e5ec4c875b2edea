import { syncBuiltinESMExports } from 'node:module'
import { setImmediate as turn } from 'node:timers/promises'
import zlib from 'node:zlib'
import * as nodeApi from '@duckdb/node-api'

// DuckDB, zlib and Web Crypto work on threads of their own. They are black boxes: nothing of ours goes on while one of them works, so that
// their speed decides no order.

/** A statement that is about to run, or has run. What a hook throws ends the statement. */
export type StatementHook = (moment: 'before' | 'after', sql: string) => void

let outstanding = 0
let hook: StatementHook | undefined
let isPatched = false

/** From now on every statement is shown to the hook; undefined: to none. */
export function watchStatements(next: StatementHook | undefined): void {
  patch()
  hook = next
}

/** Resolves when no thread works for this process, and everything that followed from its work has run. */
export async function settled(): Promise<void> {
  for (let quiet = 0; quiet < 3; ) {
    await turn()
    const isBusy =
      outstanding > 0 ||
      process.getActiveResourcesInfo().some((name) => name.endsWith('Req') || name.startsWith('FSReq'))
    quiet = isBusy ? 0 : quiet + 1
    if (outstanding > 0) await new Promise<void>((resolve) => waiting.push(resolve))
  }
}

const waiting: (() => void)[] = []

function ended(): void {
  outstanding--
  if (outstanding === 0) for (const resolve of waiting.splice(0)) resolve()
}

function follow<T>(work: Promise<T>): Promise<T> {
  outstanding++
  return work.finally(ended)
}

type Method = (this: unknown, ...given: unknown[]) => unknown

/** Statements go through these; others of the same class only read what they gave. */
const STATEMENTS = new Set(['run', 'runAndReadAll', 'stream'])

function patch(): void {
  if (isPatched) return
  isPatched = true
  for (const each of Object.values(nodeApi)) {
    if (typeof each !== 'function') continue
    patchMethods(each as unknown as Record<string, unknown>, ['create', 'fromCache'])
    const { prototype } = each
    if (prototype) patchMethods(prototype, Object.getOwnPropertyNames(prototype))
  }
  // Requests to a bucket are signed on a thread of its own.
  const { subtle } = globalThis.crypto
  patchMethods(Object.getPrototypeOf(subtle), ['digest', 'importKey', 'sign'])
  const deflate = zlib.gzip as unknown as Method
  const patched: Method = function (...given) {
    const done = given.at(-1) as Method
    outstanding++
    return deflate.call(this, ...given.slice(0, -1), (...results: unknown[]) => {
      ended()
      done.apply(undefined, results)
    })
  }
  Object.assign(zlib, { gzip: patched })
  syncBuiltinESMExports()
}

function patchMethods(target: Record<string, unknown>, names: readonly string[]): void {
  for (const name of names) {
    const descriptor = Object.getOwnPropertyDescriptor(target, name)
    const method = descriptor?.value as Method | undefined
    if (name === 'constructor' || typeof method !== 'function' || !descriptor?.writable) continue
    const isStatement = STATEMENTS.has(name)
    target[name] = function (this: unknown, ...given: unknown[]): unknown {
      const sql = isStatement && typeof given[0] === 'string' ? given[0] : undefined
      if (sql === undefined) {
        const result = method.apply(this, given)
        return result instanceof Promise ? follow(result) : result
      }
      return follow(statement(sql, () => method.apply(this, given) as Promise<unknown>))
    }
  }
}

let isNested = false

/** One statement, though a method of DuckDB's library calls another one. */
async function statement(sql: string, run: () => Promise<unknown>): Promise<unknown> {
  if (isNested) return await run()
  hook?.('before', sql)
  isNested = true
  let running: Promise<unknown>
  try {
    running = run()
  } finally {
    isNested = false
  }
  const result = await running
  hook?.('after', sql)
  return result
}
