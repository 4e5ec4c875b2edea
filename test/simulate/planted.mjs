/**
 * Plants bugs of the kind that hurts, one after the other, and says which seed finds each: `node test/simulate/planted.mjs FIRST
 * COUNT MOST`. A bug is one text of one file replaced by another, in the bundle alone.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { bundle } from './bundle.mjs'
import { PLANTED } from './planted-bugs.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const [first = '1', count = String(PLANTED.length), most = '40'] = process.argv.slice(2)
let found = 0
const chosen = PLANTED.slice(Number(first) - 1, Number(first) - 1 + Number(count))
for (const [at, bug] of chosen.entries()) {
  const nth = Number(first) + at
  const program = `test/simulate/.program/planted-${nth}.js`
  await bundle('test/simulate/main.ts', program, bug)
  const { stdout } = spawnSync(process.execPath, ['--enable-source-maps', `${root}/${program}`], {
    cwd: root,
    env: { ...process.env, SEEDS: most, FIRST_FAILURE: '1' },
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  const seed = /^seed (\d+) fails/m.exec(stdout)?.[1]
  if (seed) found++
  const how = /^night .*$/m.exec(stdout)?.[0] ?? ''
  const verdict = seed ? `seed ${seed}` : `none of ${most}`
  process.stdout.write(`| ${nth} | \`${bug.file}\` | ${bug.what} | ${verdict} |\n`)
  if (process.env.HOW) process.stdout.write(`${how.slice(0, 300)}\n`)
}
process.stdout.write(`${found} of ${chosen.length} found\n`)
