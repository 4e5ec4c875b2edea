import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { everyCommand, shapeOf } from '../../src/cli/grammar.js'
import { createProgram } from '../../src/cli/program.js'
import { fakeEffects } from '../support/effects.js'
import { temporaryFolder } from '../support/folder.js'
import { cli, edgeOf, watchedTerminal } from '../support/program.js'

let folder: string
const script = (shell: string): string => join(folder, `candlehouse.${shell}`)
beforeAll(async () => {
  folder = temporaryFolder()
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, stdout } = await cli(['completion', shell], { cwd: folder })
    expect(code).toBe(0)
    writeFileSync(script(shell), stdout)
  }
  mkdirSync(join(folder, 'mine'))
  writeFileSync(join(folder, 'mine.csv'), '')
})

/** What was typed, and the words that the shell then offers; every shell must offer all of them. */
const CASES: readonly (readonly [typed: string, offered: readonly string[]])[] = [
  ['nigh', ['nightly']],
  ['schedule ', ['run', 'print']],
  ['schedule print sys', ['systemd']],
  ['nightly --sess', ['--sessions']],
  ['backfill oh', ['ohlc']],
  ['backfill ohlc --timeframe 1', ['1m', '15m', '1h', '1d']],
  ['plan ba', ['backfill']],
  ['plan --quiet backfill sec', ['securitiesSummary']],
  ['export --format par', ['parquet']],
  ['export mart.foreign_fl', ['mart.foreign_flow']],
  ['trace market.cand', ['market.candle']],
  ['import oh', ['ohlc']],
  ['import ohlc mine.c', ['mine.csv']],
  ['completion z', ['zsh']],
]

function missing(shell: string): string {
  return spawnSync(shell, ['-c', 'true']).error ? ` (skipped: ${shell} is not installed)` : ''
}

/** Runs a program of the shell in the folder. */
function run(shell: string, args: readonly string[]): string {
  const { PATH, HOME } = process.env
  const { stdout, stderr, status } = spawnSync(shell, args, {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH, HOME, TERM: 'xterm', LANG: 'C.UTF-8' },
  })
  expect([status, stderr]).toEqual([0, ''])
  return stdout
}

describe.skipIf(missing('bash'))(`bash${missing('bash')}`, () => {
  function complete(...words: string[]): string[] {
    const program = `
      source "$1"; shift
      COMP_WORDS=(candlehouse "$@"); COMP_CWORD=$#
      _candlehouse
      printf '%s\\n' "\${COMPREPLY[@]}"`
    return run('bash', ['--norc', '-c', program, 'bash', script('bash'), ...words])
      .split('\n')
      .filter(Boolean)
  }

  test('completes verbs, options, their values, datasets, relations and files', () => {
    for (const [typed, offered] of CASES) expect(complete(...typed.split(' ')), typed).toEqual(offered)
  })

  test('completes a value behind =, and folders only where a folder is meant', () => {
    expect(complete('export', '--format', '=', 'csv')).toEqual(['csv'])
    expect(complete('nightly', '--home', 'mi')).toEqual(['mine'])
    expect(complete('nightly', '--date', '')).toEqual([])
    expect(complete('sandbox', '--trade', '--dial')).toEqual(['--dialect'])
  })

  test('knows every verb and every option of the program', async () => {
    const { terminal } = watchedTerminal()
    const edge = { ...edgeOf(terminal, { cwd: folder }), endWith: () => undefined }
    const commands = everyCommand(shapeOf(await createProgram(edge, fakeEffects(), undefined)))
    const list = 'source "$1"; shift; for path in "$@"; do _candlehouse_words "$path"; echo; done'
    const paths = commands.map(({ path }) => path.join(' '))
    const offered = run('bash', ['--norc', '-c', list, 'bash', script('bash'), ...paths]).split('\n')
    expect(commands.length).toBeGreaterThan(35)
    for (const [index, { options, commands: below }] of commands.entries()) {
      const words = [...below.map(({ path }) => path.at(-1)), ...options.map(({ long }) => long)]
      expect(offered[index]?.split(' '), paths[index]).toEqual(words)
    }
  })
})

describe.skipIf(missing('fish'))(`fish${missing('fish')}`, () => {
  test('completes verbs, options, their values, datasets, relations and files', () => {
    const program = `source $argv[1]; for typed in $argv[2..-1]; complete -C "candlehouse $typed"; echo =; end`
    const typed = CASES.map(([text]) => text)
    const answers = run('fish', ['--no-config', '-c', program, script('fish'), ...typed]).split('=\n')
    for (const [index, [text, offered]] of CASES.entries()) {
      const words = (answers[index] ?? '').split('\n').map((line) => line.split('\t')[0])
      expect(words, text).toEqual(expect.arrayContaining([...offered]))
    }
  })
})

describe.skipIf(missing('zsh'))(`zsh${missing('zsh')}`, () => {
  test('completes on a terminal: what is unique is inserted, what is not is listed', () => {
    // Reads what the terminal shows until it has what is expected; zsh ends with 1 after ten seconds without it.
    const program = `
      zmodload zsh/zpty
      file=$1; shift
      mkdir -p functions && cp $file functions/_candlehouse
      see() {
        local piece
        seen=''
        repeat 1000; do
          if zpty -rt shell piece; then seen+=$piece; else sleep 0.01; fi
          [[ $seen == *"$1"* ]] && return 0
        done
        print -r -- "never showed $1: $seen"
        return 1
      }
      zpty -b shell zsh -f -i
      zpty -w shell "PS1='at-'; PS1+='prompt '; unsetopt zle_bracketed_paste; fpath=($PWD/functions \\$fpath)"
      zpty -w shell "autoload -Uz compinit; compinit -u -D; stty cols 200 rows 60; LISTMAX=1000; PS1='now-'; PS1+='ready '"
      see 'now-ready ' || exit 1
      while (( $# )); do
        zpty -w -n shell "candlehouse $1"$'\\t'
        see $2 || exit 1
        zpty -w -n shell $'\\x15'
        shift 2
      done`
    const typed = CASES.flatMap(([text, offered]) => [
      text,
      // One word is inserted behind what was typed; of several, one must be in the list.
      offered.length === 1 ? `${text.replace(/\S*$/, '')}${offered[0]}` : (offered.at(-1) ?? ''),
    ])
    run('zsh', ['-f', '-c', program, 'zsh', script('zsh'), ...typed])
  })
})

test('another shell is refused, and --json is one document', async () => {
  const refused = await cli(['completion', 'tcsh'], { cwd: folder })
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('Allowed choices')])
  const { json } = await cli(['completion', 'bash', '--json'], { cwd: folder })
  expect(json()).toMatchObject({ shell: 'bash', text: expect.stringContaining('complete -F') })
})
