/**
 * Measures answers of a model to the questions of docs/two-hundred-questions.md: each of its statements is run beside the right
 * one on the same home, and their rows are compared.
 *
 * node measure.mjs ANSWERS.jsonl [options of `candlehouse sql`, for instance --home demo]
 */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const inPackage = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const MOST_BYTES = 256 * 1024 ** 2
const run = promisify(execFile)

/** The questions, by number: the right statement and the columns that an answer needs. */
function readQuestions() {
  const statements = new Map(
    readFileSync(inPackage('docs/cookbook.md'), 'utf8')
      .split(/^### /m)
      .map((part) => [Number.parseInt(part, 10), /```sql\n([\s\S]*?)```/.exec(part)?.[1]]),
  )
  const lines = readFileSync(inPackage('docs/two-hundred-questions.md'), 'utf8').matchAll(
    /^\| (\d+) +\| .*\| ([^|]+?) +\|$/gm,
  )
  return new Map(
    [...lines].map(([, number, needed]) => [
      Number(number),
      { sql: statements.get(Number(number)), needed: needed.match(/\w+/g) },
    ]),
  )
}

/** Rows of a statement; a string where it fails. */
async function rowsOf(sql, options) {
  const command = [inPackage('dist/src/main.js'), 'sql', '--json', ...options, sql]
  try {
    const { stdout } = await run(process.execPath, command, { maxBuffer: MOST_BYTES })
    return JSON.parse(stdout)
  } catch (error) {
    return error.stderr || error.message
  }
}

/** A value as text, equal for equal numbers: `12.50` and `12.5`, and six digits of what is not whole. */
function textOf(value) {
  const isNumber = typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value))
  if (!isNumber) return JSON.stringify(value ?? null)
  return Number.isInteger(Number(value)) ? String(Number(value)) : Number(value).toPrecision(6)
}

const sorted = (values) => [...values].sort().join('\n')

/** Whether the rows have the needed columns of the right ones, under any names. */
function isRight(rows, right, needed, isRanking) {
  const count = isRanking ? Math.min(rows.length, right.length) : right.length
  if (isRanking ? count < Math.min(5, right.length) : rows.length !== right.length) return false
  const [given, wanted] = [rows.slice(0, count), right.slice(0, count)]
  const columnOf = (of, name) => of.map((row) => textOf(row[name]))
  // For each needed column those with the same values; then one choice whose rows are the same too.
  const choices = needed.map((name) =>
    Object.keys(given[0] ?? {}).filter(
      (other) => sorted(columnOf(given, other)) === sorted(columnOf(wanted, name)),
    ),
  )
  const goal = sorted(wanted.map((row) => needed.map((name) => textOf(row[name])).join('\t')))
  const search = (chosen) => {
    if (chosen.length === needed.length)
      return sorted(given.map((row) => chosen.map((name) => textOf(row[name])).join('\t'))) === goal
    return choices[chosen.length].some((name) => search([...chosen, name]))
  }
  return count === 0 || search([])
}

const [file, ...options] = process.argv.slice(2)
if (file === undefined) {
  process.stderr.write('node measure.mjs ANSWERS.jsonl [--home FOLDER]\n')
  process.exit(2)
}
const questions = readQuestions()
const rightRows = new Map()
const counts = {}
for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
  const { question, sql } = JSON.parse(line)
  const [language, number] = question.split('-')
  const { sql: rightSql, needed } = questions.get(Number(number))
  if (!rightRows.has(number)) rightRows.set(number, await rowsOf(rightSql, options))
  const right = rightRows.get(number)
  if (typeof right === 'string') throw new Error(`statement ${number} fails on this home: ${right}`)
  const rows = await rowsOf(sql, options)
  const isRanking = /\blimit \d+\s*$/i.test(rightSql)
  const result =
    typeof rows === 'string' ? 'failed' : isRight(rows, right, needed, isRanking) ? 'right' : 'wrong'
  counts[language] ??= { right: 0, wrong: 0, failed: 0 }
  counts[language][result] += 1
  if (result !== 'right')
    process.stdout.write(
      `${question}: ${result}${typeof rows === 'string' ? `: ${rows.split('\n')[0]}` : ''}\n`,
    )
}
for (const [language, { right, wrong, failed }] of Object.entries(counts))
  process.stdout.write(`${language}: ${right} right, ${wrong} wrong, ${failed} failed\n`)
