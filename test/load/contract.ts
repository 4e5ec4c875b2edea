import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../src/package.js'

/** What one step's file does with tables, views and variables; a name with a dot is stored, all others are temporary. */
export interface StepContract {
  /** `load/batch/pages` */
  readonly step: string
  readonly reads: readonly string[]
  readonly writes: readonly string[]
  /** The same as the file's own `-- reads:` and `-- writes:` lines state it. */
  readonly stated: { readonly reads: readonly string[]; readonly writes: readonly string[] }
  /** What it reads of its own. */
  readonly readsOwn: readonly string[]
  /** Whether each temporary name that it creates is a table or a view. */
  readonly kinds: ReadonlyMap<string, string>
  /** Grain of each temporary table or view that the file creates, from the comment above it. */
  readonly grains: ReadonlyMap<string, string | undefined>
}

const NAME = String.raw`((?:[a-z_]+\.)?[a-z_$]+(?:_[a-z$]+)*)`

/** Reads one step's file. */
export function contractOf(step: string): StepContract {
  const text = readFileSync(join(packageRoot, 'sql', `${step}.sql`), 'utf8')
  const sql = text.replaceAll(/--.*$/gm, '').replaceAll(/'(?:[^']|'')*'/g, (literal) =>
    // Names of variables are the one thing in quotes that is read.
    /^'[a-z_]+'$/.test(literal) ? literal : `''`,
  )
  const local = new Set([
    ...[...sql.matchAll(/(?:WITH|,)\s+([a-z_]+) AS \(/g)].map(([, name]) => name),
    'read_json',
    'duckdb_columns',
  ])
  const names = (pattern: string): string[] =>
    [...sql.matchAll(new RegExp(pattern, 'g'))]
      .map(([, name = '']) => name)
      .filter((name) => !local.has(name))
  const created = names(String.raw`CREATE OR REPLACE TEMP (?:TABLE|VIEW) ${NAME}`)
  const writes = [
    ...created,
    ...names(String.raw`INSERT INTO ${NAME}`),
    ...names(String.raw`UPDATE ${NAME}`),
    ...names(String.raw`DELETE FROM ${NAME}`),
    ...names(String.raw`SET VARIABLE ([a-z_]+)`).map((name) => `variable ${name}`),
  ]
  const mentioned = [
    ...names(String.raw`(?<!DISTINCT )(?<!DELETE )(?:FROM|JOIN|USING) ${NAME}\b(?!\()`),
    ...names(String.raw`getvariable\('([a-z_]+)'\)`).map((name) => `variable ${name}`),
  ]
  return {
    step,
    reads: sorted(mentioned.filter((name) => !created.includes(name))),
    readsOwn: sorted(mentioned.filter((name) => created.includes(name))),
    kinds: new Map(
      [...sql.matchAll(new RegExp(String.raw`CREATE OR REPLACE TEMP (TABLE|VIEW) ${NAME}`, 'g'))].map(
        ([, kind = '', name = '']) => [name, kind],
      ),
    ),
    writes: sorted(writes),
    stated: { reads: statedIn(text, 'reads'), writes: statedIn(text, 'writes') },
    grains: new Map(created.map((name) => [name, grainAbove(text, name)])),
  }
}

function sorted(names: readonly string[]): string[] {
  return [...new Set(names)].sort()
}

function statedIn(text: string, what: 'reads' | 'writes'): string[] {
  const lines = [...text.matchAll(new RegExp(`^-- ${what}: (.*)$`, 'gm'))].map(([, line = '']) => line)
  return sorted(lines.flatMap((line) => line.split(', ')))
}

function grainAbove(text: string, name: string): string | undefined {
  const lines = text.split('\n')
  const at = lines.findIndex((line) => line.startsWith('CREATE') && line.split(/\s+/).includes(name))
  let first = at
  while (first > 0 && lines[first - 1]?.startsWith('--')) first--
  const comment = lines
    .slice(first, at)
    .filter((line) => !/^-- (reads|writes): /.test(line))
    .map((line) => line.replace(/^-- ?/, ''))
    .join(' ')
  return /grain: (.*?)(?:\. |: |;|$)/.exec(comment)?.[1]
}

/** The tables that `sql/load/README.md` holds: one row per step, and one per temporary table. */
export function contractTables(title: string, order: readonly (readonly string[])[]): string {
  const contracts = order.flatMap((line, index) =>
    line.map((step) => ({ place: index + 1, ...contractOf(step) })),
  )
  const isTemporary = (name: string): boolean => !name.includes('.') && name !== '$relation'
  const temporary = sorted(contracts.flatMap(({ writes }) => writes.filter(isTemporary)))
  const stepsThat = (what: 'reads' | 'writes', name: string): string =>
    contracts
      .filter((contract) => {
        const names = what === 'reads' ? [...contract.reads, ...contract.readsOwn] : contract.writes
        return names.some((each) => matches(each, name))
      })
      .map(({ step }) => step.replace('load/', ''))
      .join(', ')
  const grains = new Map(contracts.flatMap(({ grains: own }) => [...own]))
  return [
    `## ${title}`,
    '',
    '| step | file | reads | writes |',
    '| --- | --- | --- | --- |',
    ...contracts.map(
      ({ place, step, reads, writes }) =>
        `| ${place} | ${step} | ${reads.join(', ')} | ${writes.join(', ')} |`,
    ),
    '',
    '| temporary | one row per | written by | read by |',
    '| --- | --- | --- | --- |',
    ...temporary.map(
      (name) =>
        `| ${name} | ${(grains.get(name) ?? '').replace(/^one row per /, '')} | ${stepsThat('writes', name)} | ${stepsThat('reads', name)} |`,
    ),
    '',
  ].join('\n')
}

/** `received_order_book` is one of `received_$table`. */
export function matches(a: string, b: string): boolean {
  const pattern = (name: string): RegExp => new RegExp(`^${name.replace('$table', '[a-z_]+')}$`)
  return a === b || pattern(a).test(b) || pattern(b).test(a)
}
