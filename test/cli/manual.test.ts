import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { manualPage } from '../../build/manual-page.js'
import { type CommandShape, everyCommand, shapeOf } from '../../src/cli/grammar.js'
import { createProgram } from '../../src/cli/program.js'
import { everySetting } from '../../src/settings/index.js'
import { fakeEffects } from '../support/effects.js'
import { temporaryFolder } from '../support/folder.js'
import { edgeOf, watchedTerminal } from '../support/program.js'

let program: CommandShape
let file: string
beforeAll(async () => {
  const { terminal } = watchedTerminal()
  const edge = { ...edgeOf(terminal, { cwd: '/nowhere' }), endWith: () => undefined }
  program = shapeOf(await createProgram(edge, fakeEffects(), undefined))
  file = join(temporaryFolder(), 'candlehouse.1')
  writeFileSync(file, manualPage(program, { version: '1.2.3', settings: everySetting }))
})

/** Bold letters are printed twice, over each other. */
const OVERPRINTED = new RegExp(`.${String.fromCharCode(8)}`, 'g')

/** The page as a reader sees it, on one line. */
function shown(command: string, args: readonly string[]): string {
  const { stdout, stderr } = spawnSync(command, args, {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, MANWIDTH: '300', MANROFFOPT: '-rHY=0 -c', LANG: 'C.UTF-8' },
  })
  expect(stderr, command).toBe('')
  return stdout
    .replace(OVERPRINTED, '')
    .replace(/‐\n\s*/g, '')
    .replace(/\s+/g, ' ')
}

function missing(reader: string): string {
  return spawnSync(reader, ['--version']).error ? ` (skipped: ${reader} is not installed)` : ''
}

const READERS = [
  ['man', () => ['-l', file]],
  ['groff', () => ['-man', '-Tutf8', '-P-c', '-rLL=300n', '-rHY=0', file]],
  ['mandoc', () => ['-Owidth=300', file]],
] as const

for (const [reader, args] of READERS)
  test.skipIf(missing(reader))(
    `${reader} shows every command, option, setting and exit code${missing(reader)}`,
    () => {
      const page = shown(reader, args())
      for (const { path, options, commands } of everyCommand(program)) {
        if (path.length === 0 || commands.length > 0) continue
        expect(page).toContain(['candlehouse', ...path].join(' '))
        for (const { long, about } of options) {
          expect(page).toContain(long)
          expect(page).toContain(about.replaceAll('’', "'").replace(/\s+/g, ' '))
        }
      }
      for (const { variable } of everySetting) expect(page).toContain(variable)
      expect(page).toContain('130, 143')
    },
  )

test.skipIf(missing('mandoc'))(`mandoc finds nothing to complain about${missing('mandoc')}`, () => {
  const { stdout } = spawnSync('mandoc', ['-Tlint', file], { encoding: 'utf8' })
  // The same version has the same page: it has no date.
  expect(stdout.split('\n').filter((line) => line !== '' && !line.includes('missing date'))).toEqual([])
})

test('text of a command is never taken for a request of roff', () => {
  const odd: CommandShape = {
    path: ['odd'],
    about: ".TH is not a request here, nor is 'this \\fB-",
    options: [],
    arguments: [],
    commands: [],
  }
  const page = manualPage({ ...odd, path: [], about: 'x', commands: [odd] }, { version: '1', settings: [] })
  expect(page).toContain("\n\\&.TH is not a request here, nor is 'this \\efB\\-\n")
})
