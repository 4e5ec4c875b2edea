/** The programs of others that `make interop` asks, and which of them it did ask. */
import { appendFileSync } from 'node:fs'

/** By name, what it reads or uses. */
export const PROGRAMS = {
  clickhouse: 'the lake',
  'delta-rs': 'the lake',
  polars: 'the lake',
  pandas: 'the lake',
  duckdb: 'the catalog',
  ducklake: 'the lake as DuckLake',
  spark: 'the lake',
  'spark-s3': 'a lake in a bucket',
  'trino-s3': 'a lake in a bucket',
  versitygw: 'a bucket',
  moto: 'a bucket',
  qlib: 'exports',
  nautilus: 'exports',
  zipline: 'exports',
  schemathesis: 'the OpenAPI document',
  redocly: 'the OpenAPI document',
  'openapi-typescript': 'clients generated from it',
  'openapi-python-client': 'clients generated from it',
  mcp: 'the server for assistants',
  sdk: 'the live dialect',
  deno: 'the client as a package',
  bun: 'the client as a package',
  oracle: 'the views, recomputed in Python',
} as const

export type Program = keyof typeof PROGRAMS

export interface Noted {
  readonly name: string
  /** Why it was not asked; undefined: it was. */
  readonly why?: string | undefined
}

/** Tells the end of `make interop` that a program was asked, or why it was not. Nothing where only a part of it runs. */
export function noteProgram(name: Program, why?: string): void {
  const { ASKED_FILE } = process.env
  if (ASKED_FILE) appendFileSync(ASKED_FILE, `${JSON.stringify({ name, why } satisfies Noted)}\n`)
}

/**
 * Which programs were asked and which were not, in words.
 *
 * @param required names, or `all`
 */
export function summaryOf(
  noted: readonly Noted[],
  required: readonly string[],
): { text: string; code: 0 | 1 } {
  const names = Object.keys(PROGRAMS)
  const unknown = required.filter((name) => name !== 'all' && !names.includes(name))
  const asked = names.filter((name) => noted.some((entry) => entry.name === name && entry.why === undefined))
  const others = names.filter((name) => !asked.includes(name))
  const isRequired = (name: string): boolean => required.includes('all') || required.includes(name)
  const missing = others.filter(isRequired)
  const whyNot = (name: string): string => noted.find((entry) => entry.name === name)?.why ?? 'not asked'
  const lines = [
    `${asked.length} of ${names.length} programs ran: ${asked.join(', ') || 'none'}`,
    ...others.map((name) => `  ${name} did not run (${whyNot(name)})${isRequired(name) ? ': REQUIRED' : ''}`),
    ...(unknown.length === 0 ? [] : [`REQUIRED names no program: ${unknown.join(', ')}`]),
  ]
  const isWrong = asked.length === 0 || missing.length > 0 || unknown.length > 0
  return { text: lines.join('\n'), code: isWrong ? 1 : 0 }
}
