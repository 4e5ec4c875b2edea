/**
 * The simulator and the program that it runs, in one file: modules that a machine reads in the middle of a night come when it has
 * read them, and decide an order.
 */
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const root = fileURLToPath(new URL('../..', import.meta.url))
const [entry = 'test/simulate/main.ts', out = 'test/simulate/.program/main.js'] = process.argv.slice(2)
const bundle = await rolldown({
  cwd: root,
  input: entry,
  platform: 'node',
  tsconfig: 'tsconfig.json',
  external: /^[^./\0]/,
  logLevel: 'silent',
})
await bundle.write({ file: `${root}/${out}`, codeSplitting: false, sourcemap: true })
