/**
 * The simulator and the program that it runs, in one file: modules that a machine reads in the middle of a night come when it has
 * read them, and decide an order.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * A bug that is planted in the bundle.
 *
 * @typedef {{ file: string, from: string, to: string, what: string, like?: string }} Planted
 */

/** @param {string} text @param {Planted} bug */
function plant(text, { file, from, to }) {
  const [before, after, ...more] = text.split(from)
  if (after === undefined || more.length > 0) throw new Error(`${file} has not exactly one: ${from}`)
  return before + to + after
}

/** SQL is read while the program runs: the reader of the files gets the changed text. @param {Planted} bug */
function plantSql(bug, text) {
  const changed = plant(readFileSync(join(root, bug.file), 'utf8'), bug)
  const line = 'texts.set(path, text)'
  const path = JSON.stringify(bug.file.slice('sql/'.length))
  return text.replace(line, () => `if (path === ${path}) text = ${JSON.stringify(changed)}\n    ${line}`)
}

/** @param {Planted} bug @returns {import('rolldown').Plugin} */
const planting = (bug) => ({
  name: 'planted-bug',
  transform(text, id) {
    if (id === join(root, bug.file)) return plant(text, bug)
    if (bug.file.startsWith('sql/') && id === join(root, 'src/duckdb/sqlfile.ts')) return plantSql(bug, text)
    return null
  },
})

/** @param {string} entry @param {string} out @param {Planted} [bug] */
export async function bundle(entry, out, bug) {
  const built = await rolldown({
    cwd: root,
    input: entry,
    platform: 'node',
    // As the program: Node 20 has no `using`.
    transform: { target: 'node20.19' },
    tsconfig: 'tsconfig.json',
    external: /^(?!candlehouse-|@oxc-project\/runtime)[^./\0]/,
    logLevel: 'silent',
    plugins: bug ? [planting(bug)] : [],
  })
  await built.write({ file: join(root, out), codeSplitting: false, sourcemap: true })
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await bundle('test/simulate/main.ts', 'test/simulate/.program/main.js')
