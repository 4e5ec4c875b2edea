import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../../src/package.js'
import { temporaryFolder } from '../support/folder.js'
import { cli } from '../support/program.js'
import { start } from './support/cli.js'

/** Verbs that neither ask the service nor write the warehouse. */
const READING = new Set([
  'sql',
  'export',
  'status',
  'trace',
  'check',
  'lake',
  'attach',
  'ddl',
  'config',
  'plan',
])

const readme = readFileSync(join(packageRoot, 'README.md'), 'utf8')

const docs = ['sandbox', 'scale-out', 'monitoring', 'clients'].map((name) =>
  readFileSync(join(packageRoot, 'docs', `${name}.md`), 'utf8'),
)

const commands = [...[readme, ...docs].join('\n').matchAll(/```sh\n([\s\S]*?)```/g)]
  .flatMap(([, block = '']) => block.trim().split('\n'))
  .filter(Boolean)
  // What two pages show alike is run once.
  .filter((command, at, all) => all.indexOf(command) === at || /publish|nightly/.test(command))

test('every command of the README and of docs that tell some runs, in its order, on a fresh machine', async () => {
  const cwd = temporaryFolder()
  const makefile = readFileSync(join(packageRoot, 'Makefile'), 'utf8')
  // Analysts come after the first nightly, whatever the order of the tours.
  for (const command of commands) {
    const [program, ...args] = words(command)
    if (program === 'make') {
      expect(makefile, command).toMatch(new RegExp(`^${args[0]}:.*##`, 'm'))
    } else if (args[0] === 'sandbox') {
      const port = args.map((each) => (/^\d+$/.test(each) ? '0' : each))
      const { child, ended } = start(port, { cwd })
      child.stdout?.once('data', () => child.kill('SIGINT'))
      expect(JSON.parse((await ended).stdout)).toHaveProperty('apiKey')
    } else {
      expect(program, command).toBe('candlehouse')
      // What starts the embedded service needs the built program.
      const ran = await (READING.has(args[0] ?? '') ? cli(args, { cwd }) : start(args, { cwd }).ended)
      expect(ran.code, `${command}\n${ran.stderr}`).toBe(0)
    }
  }
})

test('the README names every verb', async () => {
  const help = await cli(['--help'], { cwd: temporaryFolder() })
  const verbs = [...help.stdout.matchAll(/^ {2}(\w+) (\[|<| )/gm)]
    .map(([, verb]) => verb)
    .filter((verb) => verb !== 'help')
  expect(verbs.length).toBeGreaterThan(8)
  for (const verb of verbs) expect(readme).toMatch(new RegExp(`candlehouse ${verb}\\b`))
})

/** A command line as a shell would split it: words, and texts in double quotes. */
function words(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '')
}
