/** A step of the build: the manual page, from the commands as they are declared. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTerminal } from 'candlehouse-foundation/command-line/terminal'
import { shapeOf } from '../src/cli/grammar.js'
import { createProgram } from '../src/cli/program.js'
import { systemEffects } from '../src/effects.js'
import { packageRoot, packageVersion } from '../src/package.js'
import { everySetting } from '../src/settings/index.js'
import { manualPage } from './manual-page.js'

const edge = {
  terminal: createTerminal({ stdout: process.stdout, stderr: process.stderr }),
  environment: {},
  folder: packageRoot,
  stdin: process.stdin,
  signal: new AbortController().signal,
  endWith: () => undefined,
  whenStopped: () => undefined,
  takeInterrupts: () => undefined,
}
const program = await createProgram(edge, systemEffects, undefined)
const folder = join(packageRoot, 'dist', 'man')
mkdirSync(folder, { recursive: true })
const page = manualPage(shapeOf(program), { version: packageVersion, settings: everySetting })
writeFileSync(join(folder, 'candlehouse.1'), page)
