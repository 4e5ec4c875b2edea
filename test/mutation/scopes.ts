import { filesIn, SOURCE_FOLDERS } from '../support/sources.js'

/** Files that are mutated together, and the tests that have to notice. */
export interface Scope {
  readonly name: string
  /** How the paths of its files begin; a file belongs to the first scope that names it. */
  readonly sources: readonly string[]
  /** Patterns of the pure tests close to them. A mutant that only a journey notices counts as survived. */
  readonly tests: readonly string[]
}

const CLIENT = 'packages/client/src'

/** Everything that runs without DuckDB. A scope has its own tests, because a mutant of a constant needs all of them. */
export const SCOPES: readonly Scope[] = [
  { name: 'plan', sources: ['src/plan/'], tests: ['test/plan/*.test.ts'] },
  {
    name: 'night',
    sources: ['advice', 'conclu', 'reasons'].map((name) => `src/night/${name}`),
    tests: ['test/night/{advice,conclude,conclusion-file,reasons}.test.ts'],
  },
  {
    name: 'json',
    sources: ['packages/foundation/src/json/'],
    tests: ['packages/foundation/test/json/*.test.ts'],
  },
  { name: 'fetch', sources: ['src/fetch/'], tests: ['test/fetch/*.test.ts'] },
  {
    name: 'market',
    sources: ['packages/foundation/src/market/'],
    tests: ['packages/foundation/test/market/*.test.ts'],
  },
  {
    name: 'settings',
    sources: ['src/settings/address.ts', 'src/settings/lake-marts.ts', 'src/settings/mask.ts'],
    tests: ['test/settings/{address,shown}.test.ts'],
  },
  {
    name: 'decode',
    sources: [`${CLIENT}/decode/`, `${CLIENT}/wire/`],
    tests: ['packages/client/test/{decode,wire}.test.ts'],
  },
  { name: 'page', sources: [`${CLIENT}/page/`], tests: ['packages/client/test/{page,page-facts}.test.ts'] },
  {
    name: 'throttle',
    sources: [`${CLIENT}/throttle/`],
    tests: ['packages/client/test/{throttle,throttle-parts}.test.ts'],
  },
  { name: 'walk', sources: [`${CLIENT}/walk/`], tests: ['packages/client/test/{pages,walk,walk-*}.test.ts'] },
  { name: 'signing', sources: [`${CLIENT}/signing/`], tests: ['packages/client/test/signing.test.ts'] },
  {
    name: 'queries',
    sources: ['date-form', 'endpoints', 'facets', 'queries', 'requests'].map(
      (name) => `${CLIENT}/${name}.ts`,
    ),
    tests: ['packages/client/test/{date-form,endpoints,queries}.test.ts'],
  },
  {
    name: 'session',
    sources: [`${CLIENT}/session/`],
    tests: ['packages/client/test/{clock,session}.test.ts'],
  },
  { name: 'trading', sources: [`${CLIENT}/trading/`], tests: ['packages/client/test/trading/*.test.ts'] },
  {
    name: 'client',
    sources: [`${CLIENT}/`],
    tests: ['packages/client/test/{client,clock,faults,page,reach,sockets}.test.ts'],
  },
]

/** The files of a scope, sorted. */
export function filesOf(scope: Scope): string[] {
  return allSources().filter((file) => SCOPES.find(({ sources }) => begins(file, sources)) === scope)
}

function allSources(): string[] {
  return filesIn(SOURCE_FOLDERS, '.ts').sort()
}

function begins(file: string, sources: readonly string[]): boolean {
  return sources.some((source) => file.startsWith(source))
}
