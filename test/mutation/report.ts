import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../src/package.js'

/** How many mutants of one file the tests notice. */
export interface FileScore {
  readonly file: string
  readonly killed: number
  readonly survived: number
  /** `YYYY-MM-DD`. */
  readonly date: string
  readonly commit: string
}

/** A mutant that no test notices, and why none can or should. */
interface Explained {
  readonly file: string
  readonly mutant: string
  readonly why: string
}

/** A bug at a random place, and the check that noticed it. */
export interface PlantedResult {
  readonly bug: string
  /** Of the draw. */
  readonly seed: number
  /** A test, or `types`; null if none of those that are nearest did. */
  readonly by: string | null
  /** The test that was written because of it. */
  readonly since?: string
  /** Why nothing can notice it. */
  readonly equivalent?: string
}

const REPORT = join(packageRoot, 'docs/mutation.md')
const FLOORS = join(packageRoot, 'test/mutation/floors.json')
const PLANTED = join(packageRoot, 'test/mutation/planted.json')
const EXPLAINED = join(packageRoot, 'test/mutation/explained.json')

const INTRODUCTION = `# Mutation score

A mutant is the program with one small fault: \`<\` instead of \`<=\`, a text emptied, a condition turned around. The score of
a file is the part of its mutants that a test close to it notices. [\`make mutate\`](../CONTRIBUTING.md) measures and writes
this page: mutants of TypeScript with [Stryker](https://stryker-mutator.io), mutants of SQL (join keys, filters, bounds,
orders, nulls) with \`make mutate SQL=1\`, a sample drawn by a seed. A file below its floor in
\`test/mutation/floors.json\` fails \`make mutate\`.
`

/** Percent of the mutants that were killed. */
export function percent({ killed, survived }: Pick<FileScore, 'killed' | 'survived'>): number {
  return killed + survived === 0 ? 100 : (100 * killed) / (killed + survived)
}

export function readFloors(): Record<string, number> {
  return JSON.parse(readFileSync(FLOORS, 'utf8')) as Record<string, number>
}

export function readExplained(): readonly Explained[] {
  return JSON.parse(readFileSync(EXPLAINED, 'utf8')) as Explained[]
}

export function readPlanted(): PlantedResult[] {
  return existsSync(PLANTED) ? (JSON.parse(readFileSync(PLANTED, 'utf8')) as PlantedResult[]) : []
}

export function writePlanted(results: readonly PlantedResult[]): void {
  writeFileSync(PLANTED, `${JSON.stringify(results, null, 2)}\n`)
}

/** Floors are only raised: a score that falls is a test to write. */
export function writeFloors(scores: readonly FileScore[]): void {
  const floors = readFloors()
  for (const score of scores)
    floors[score.file] = Math.max(floors[score.file] ?? 0, Math.floor(percent(score)))
  const sorted = Object.fromEntries(Object.entries(floors).sort(([left], [right]) => (left < right ? -1 : 1)))
  writeFileSync(FLOORS, `${JSON.stringify(sorted, null, 2)}\n`)
}

/** One line for every file whose score is below its floor, or that has no floor. */
export function shortfalls(scores: readonly FileScore[], floors: Readonly<Record<string, number>>): string[] {
  return scores.flatMap((score) => {
    const floor = floors[score.file]
    if (floor === undefined) return [`${score.file} has no floor: RAISE=1 make mutate FILES=${score.file}`]
    if (percent(score) >= floor) return []
    return [
      `${score.file}: ${percent(score).toFixed(1)} % of the mutants are noticed, its floor is ${floor} %`,
    ]
  })
}

const ROW = /^\| `([^`]+)` +\| \d+ +\| (\d+) +\| (\d+) +\| [\d.]+ % *\| (\S+) +\| `(\w+)` *\|$/

/** The scores that the page has. */
export function readScores(): FileScore[] {
  return rowsOf('Files').flatMap((line) => {
    const [, file = '', killed, survived, date = '', commit = ''] = ROW.exec(line) ?? []
    return file === '' ? [] : [{ file, killed: Number(killed), survived: Number(survived), date, commit }]
  })
}

/** How many mutants of a sample of the SQL of one folder the tests notice. */
export interface SqlScore {
  readonly folder: string
  readonly killed: number
  readonly survived: number
  /** Mutants that DuckDB refuses. */
  readonly invalid: number
  readonly seed: number
  readonly count: number
  readonly date: string
  readonly commit: string
}

/** The scores of SQL that the page has. */
export function readSqlScores(): SqlScore[] {
  return rowsOf('SQL').flatMap((line) => {
    if (!line.startsWith('| `sql/')) return []
    const [folder = '', , killed, survived, , invalid, seed, count, date = '', commit = ''] = line
      .slice(2, -2)
      .split(' | ')
      .map((cell) => cell.trim().replaceAll('`', ''))
    return [
      {
        folder: folder.replace(/\/$/, ''),
        killed: Number(killed),
        survived: Number(survived),
        invalid: Number(invalid),
        seed: Number(seed),
        count: Number(count),
        date,
        commit,
      },
    ]
  })
}

function rowsOf(heading: string): string[] {
  if (!existsSync(REPORT)) return []
  return (
    (readFileSync(REPORT, 'utf8').split(`\n## ${heading}\n`)[1] ?? '').split('\n## ')[0]?.split('\n') ?? []
  )
}

/** Writes the page with these scores; what another run measured stays. */
export function writeReport(scores: readonly FileScore[], sql: readonly SqlScore[] = readSqlScores()): void {
  const sections = [
    INTRODUCTION,
    `## Folders\n\n${table(['folder', 'mutants', 'killed', 'survived', 'score'], folders(scores))}\n`,
    `## SQL\n\n${table(
      ['folder', 'mutants', 'killed', 'survived', 'score', 'refused', 'seed', 'count', 'date', 'commit'],
      sql.map((score) => [
        `\`${score.folder}/\``,
        ...figures(score),
        ...[score.invalid, score.seed, score.count].map(String),
        score.date,
        `\`${score.commit}\``,
      ]),
    )}\n\nDuckDB refuses some mutants: they count neither way.\n`,
    `## Bugs at random places\n\n${plantedText(readPlanted())}\n`,
    `## Explained survivors\n\nThese mutants cannot be noticed, or a test of them would repeat the code.\n\n${table(
      ['file', 'mutant', 'why'],
      readExplained().map(({ file, mutant, why }) => [`\`${file}\``, mutant, why]),
    )}\n`,
    `## Files\n\n${table(
      ['file', 'mutants', 'killed', 'survived', 'score', 'date', 'commit'],
      scores.map((score) => [`\`${score.file}\``, ...figures(score), score.date, `\`${score.commit}\``]),
    )}\n`,
  ]
  writeFileSync(REPORT, sections.join('\n'))
}

function plantedText(results: readonly PlantedResult[]): string {
  const cell = (text: string): string => `\`${text.replaceAll('|', '\\|').replaceAll('`', "'")}\``
  const seeds = [...new Set(results.map(({ seed }) => seed))]
  const draws = seeds.map((seed) => {
    const drawn = results.filter((result) => result.seed === seed)
    const count = (has: (result: PlantedResult) => boolean): number => drawn.filter(has).length
    return [
      String(seed),
      String(drawn.length),
      String(count(({ equivalent }) => equivalent !== undefined)),
      String(count(({ by }) => by !== null)),
      String(count(({ since }) => since !== undefined)),
    ]
  })
  const noticedBy = ({ by, since, equivalent }: PlantedResult): string => {
    if (by !== null) return cell(by)
    if (equivalent !== undefined) return `nothing can: ${equivalent}`
    return since === undefined ? 'nothing near' : `nothing near; now ${cell(since)}`
  }
  return `\`make mutate BUGS=60 SEED=27\` draws bugs over all of \`src\` and \`sql\`, plants one at a time in a copy, and runs the
checks of \`make test\` that are nearest.

${table(['seed', 'bugs', 'equivalent', 'noticed at once', 'noticed by a test that was written then'], draws)}

${table(
  ['seed', 'bug', 'noticed by'],
  results.map((result) => [String(result.seed), cell(result.bug), noticedBy(result)]),
)}`
}

function folders(scores: readonly FileScore[]): string[][] {
  const sums = new Map<string, { killed: number; survived: number }>()
  for (const { file, killed, survived } of scores) {
    const folder = file.split('/').slice(0, 2).join('/')
    const sum = sums.get(folder) ?? { killed: 0, survived: 0 }
    sums.set(folder, { killed: sum.killed + killed, survived: sum.survived + survived })
  }
  return [...sums].map(([folder, sum]) => [`\`${folder}/\``, ...figures(sum)])
}

export function figures(sum: { readonly killed: number; readonly survived: number }): string[] {
  const { killed, survived } = sum
  return [killed + survived, killed, survived].map(String).concat(`${percent(sum).toFixed(0)} %`)
}

/** A table as Markdown, its columns aligned. */
function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((name, at) => Math.max(name.length, ...rows.map((row) => row[at]?.length ?? 0)))
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  return [line(header), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}
