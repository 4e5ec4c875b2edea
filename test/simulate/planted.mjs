/**
 * Plants bugs of the kind that hurts, one after the other, and says which seed finds each: `node test/simulate/planted.mjs FIRST
 * COUNT MOST`. A bug is one text of one file replaced by another, in the bundle alone. Tried are the first seeds of 2,000 whose plan
 * can meet the bug, MOST of them; the seed must not fail without the bug. Undisturbed homes are those of the program without it.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundle } from './bundle.mjs'
import { PLANTED } from './planted-bugs.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const [first = '1', count = String(PLANTED.length), most = '40'] = process.argv.slice(2)
const SEEDS = '2000'
const { UNDISTURBED = mkdtempSync(join(tmpdir(), 'candlehouse-undisturbed-')) } = process.env

/** @param {string} program @param {Record<string, string>} how @returns what the simulator wrote */
function simulate(program, how) {
  const { stdout } = spawnSync(process.execPath, ['--enable-source-maps', `${root}/${program}`], {
    cwd: root,
    env: { ...process.env, ...how, UNDISTURBED, FIRST_FAILURE: '1' },
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  return stdout
}

const sound = 'test/simulate/.program/sound.js'
await bundle('test/simulate/main.ts', sound)
simulate(sound, { SEEDS: '0' })
let found = 0
const chosen = PLANTED.slice(Number(first) - 1, Number(first) - 1 + Number(count))
for (const [at, bug] of chosen.entries()) {
  const nth = Number(first) + at
  const program = `test/simulate/.program/planted-${nth}.js`
  await bundle('test/simulate/main.ts', program, bug)
  const like = bug.like === undefined ? {} : { LIKE: bug.like }
  const told = simulate(program, { SEEDS, MOST: most, ...like })
  const seed = /^seed (\d+) fails/m.exec(told)?.[1]
  const isSound = seed !== undefined && !simulate(sound, { SEED: seed }).includes(' fails:')
  if (isSound) found++
  const verdict = seed ? `seed ${seed}${isSound ? '' : ', which fails without it too'}` : `none of ${most}`
  process.stdout.write(`| ${nth} | \`${bug.file}\` | ${bug.what} | ${verdict} |\n`)
  const how = /^(?:night .*|\[.*|.*\]: .*)$/m.exec(told)?.[0] ?? ''
  if (process.env.HOW) process.stdout.write(`${how.slice(0, 300)}\n`)
}
process.stdout.write(`${found} of ${chosen.length} found\n`)
if (!process.env.UNDISTURBED) rmSync(UNDISTURBED, { recursive: true, force: true })
