import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../src/package.js'

/** Files that are mutated together, and the tests that have to notice. */
export interface Scope {
  readonly name: string
  /** How the paths of its files begin; a file belongs to the first scope that names it. */
  readonly sources: readonly string[]
  /** Patterns of the pure tests close to them. A mutant that only a journey notices counts as survived. */
  readonly tests: readonly string[]
}

const CLIENT = 'src/brokerage'

/** Everything that runs without DuckDB. A scope has its own tests, because a mutant of a constant needs all of them. */
export const SCOPES: readonly Scope[] = [
  { name: 'plan', sources: ['src/plan/'], tests: ['test/plan/*.test.ts'] },
  {
    name: 'conclusion',
    sources: ['src/conclusion/'],
    tests: ['test/conclusion/{advice,conclude,file,reasons}.test.ts'],
  },
  { name: 'json', sources: ['src/json/'], tests: ['test/json/*.test.ts'] },
  { name: 'fetch', sources: ['src/fetch/'], tests: ['test/fetch/*.test.ts'] },
  { name: 'market', sources: ['src/market/'], tests: ['test/market/*.test.ts'] },
  {
    name: 'settings',
    sources: ['src/settings/address.ts', 'src/settings/lake-marts.ts', 'src/settings/mask.ts'],
    tests: ['test/settings/{address,shown}.test.ts'],
  },
  {
    name: 'decode',
    sources: [`${CLIENT}/decode/`, `${CLIENT}/wire/`],
    tests: ['test/brokerage/{decode,wire}.test.ts'],
  },
  { name: 'page', sources: [`${CLIENT}/page/`], tests: ['test/brokerage/{page,page-facts}.test.ts'] },
  {
    name: 'throttle',
    sources: [`${CLIENT}/throttle/`],
    tests: ['test/brokerage/{throttle,throttle-parts}.test.ts'],
  },
  { name: 'walk', sources: [`${CLIENT}/walk/`], tests: ['test/brokerage/{pages,walk,walk-*}.test.ts'] },
  { name: 'signing', sources: [`${CLIENT}/signing/`], tests: ['test/brokerage/signing.test.ts'] },
  {
    name: 'queries',
    sources: ['date-form', 'endpoints', 'facets', 'queries', 'requests'].map(
      (name) => `${CLIENT}/${name}.ts`,
    ),
    tests: ['test/brokerage/{date-form,endpoints,queries}.test.ts'],
  },
  {
    name: 'session',
    sources: [`${CLIENT}/session/`],
    tests: ['test/brokerage/{clock,session}.test.ts'],
  },
  { name: 'trading', sources: [`${CLIENT}/trading/`], tests: ['test/brokerage/trading/*.test.ts'] },
  {
    name: 'client',
    sources: [`${CLIENT}/`],
    tests: ['test/brokerage/{client,clock,faults,page,reach,sockets}.test.ts'],
  },
]

/** It is SQL: its mutants are those of `sql/conclusion`. */
const NOT_PURE = ['src/conclusion/ledger.ts']

/** The files of a scope, sorted. */
export function filesOf(scope: Scope): string[] {
  return allSources().filter((file) => SCOPES.find(({ sources }) => begins(file, sources)) === scope)
}

function allSources(): string[] {
  return readdirSync(join(packageRoot, 'src'), { recursive: true, encoding: 'utf8' })
    .map((path) => `src/${path}`)
    .filter((file) => file.endsWith('.ts') && !NOT_PURE.includes(file))
    .sort()
}

function begins(file: string, sources: readonly string[]): boolean {
  return sources.some((source) => file.startsWith(source))
}
