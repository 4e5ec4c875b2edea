import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { reportFailure } from 'candlehouse-foundation/command-line/failure'
import {
  InterruptedError,
  LockedError,
  ServiceError,
  SettingsError,
  StorageError,
  UsageError,
} from 'candlehouse-foundation/errors'
import { CommanderError } from 'commander'
import { describe, expect, test } from 'vitest'
import { createLog } from '../../src/cli/log.js'
import { createProgress, seconds } from '../../src/cli/progress.js'
import { fakeEffects } from '../support/effects.js'
import { temporaryFolder } from '../support/folder.js'
import { watchedTerminal } from '../support/program.js'

describe('an exit code', () => {
  test.each([
    [new UsageError('x'), 2],
    [new SettingsError('x'), 3],
    [new ServiceError('x'), 5],
    [new StorageError('x'), 6],
    [new LockedError('x'), 75],
    [new InterruptedError(130), 130],
    [new InterruptedError(143), 143],
    [new Error('x'), 1],
    ['x', 1],
    [undefined, 1],
    [new CommanderError(1, 'commander.help', '(outputHelp)'), 2],
    [new CommanderError(0, 'commander.version', '0.1.0'), 0],
  ])('of %s is %i', async (error, code) => {
    const { terminal, out } = watchedTerminal()
    expect(await reportFailure(error, { json: false, verb: undefined }, terminal)).toBe(code)
    expect(out()).toBe('')
  })

  test('of a signal comes with how to continue', async () => {
    const { terminal, err } = watchedTerminal()
    await reportFailure(new InterruptedError(143), { json: false, verb: 'backfill' }, terminal)
    expect(err()).toBe(
      'candlehouse: stopped by SIGTERM\n  next: run the same command again; a job continues where it stopped\n',
    )
  })
})

describe('a secret', () => {
  test('that starts with another one is removed completely', () => {
    const { terminal, err } = watchedTerminal()
    terminal.keepSecret(['canary', 'canary-and-more'])
    terminal.words('a canary, a canary-and-more')
    expect(err()).toBe('a [secret], a [secret]\n')
  })

  test('is in no failure, as text or as JSON, bugs included', async () => {
    for (const error of [new StorageError('no "s3c"ret"'), new Error('no "s3c"ret"')]) {
      const { terminal, out, err } = watchedTerminal()
      terminal.keepSecret(['"s3c"ret"'])
      await reportFailure(error, { json: true, verb: 'sql' }, terminal)
      const [text, words] = [out(), err()]
      expect(JSON.parse(text)).toMatchObject({ error: { message: expect.stringContaining('no [secret]') } })
      expect(text + words).not.toContain('s3c')
    }
  })

  test('is in no line of the log, which only its owner can read', () => {
    const { terminal, err } = watchedTerminal()
    const home = temporaryFolder()
    terminal.keepSecret(['c4nary/key'])
    const log = createLog(home, ['c4nary/key'], terminal)
    log.warn('c4nary/key is refused', { url: '/x?key=c4nary%2Fkey', deep: [{ key: 'c4nary/key' }] })
    log.debug('only in the file')
    const file = join(home, 'logs/candlehouse.ndjson')
    const text = readFileSync(file, 'utf8')
    expect(text + err()).not.toContain('c4nary')
    expect(text.trim().split('\n')).toHaveLength(2)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test('that has only digits breaks no line of the log', () => {
    const { terminal } = watchedTerminal()
    const home = temporaryFolder()
    const log = createLog(home, ['246810'], terminal)
    expect(() => log.debug('page landed', { bytes: 1_246_810, file: '246810' })).not.toThrow()
    const [line] = readFileSync(join(home, 'logs/candlehouse.ndjson'), 'utf8').split('\n')
    expect(JSON.parse(line ?? '')).toMatchObject({ msg: 'page landed', file: '[secret]' })
  })
})

test('a message is one line: text of the service cannot start another', () => {
  const { terminal, err } = watchedTerminal()
  terminal.words('a\rb\u2028c\u2066d\u200fe\ufefff\u0000g\u009bh')
  expect(err()).toBe('a\\u{d}b\\u{2028}c\\u{2066}d\\u{200f}e\\u{feff}f\\u{0}g\\u{9b}h\n')
})

describe('progress without a terminal', () => {
  test('of a phase without a total is shown only at its end', () => {
    const { terminal, err } = watchedTerminal()
    const effects = fakeEffects(0)
    const progress = createProgress(terminal, false, effects)
    progress.phase('publish')
    effects.advance(60_000)
    progress.advance(1)
    progress.done()
    expect(err()).toBe('publish: done in 1 min 0 s\n')
  })

  test('starts again with every phase, and ends each phase once', () => {
    const { terminal, err } = watchedTerminal()
    const effects = fakeEffects(0)
    const progress = createProgress(terminal, false, effects)
    progress.done()
    progress.phase('replay', 2, 'runs')
    effects.advance(10_000)
    progress.advance(1)
    progress.done()
    progress.done()
    progress.phase('candles', 10_000)
    effects.advance(10_000)
    progress.advance(500)
    effects.advance(9_999)
    progress.advance(500)
    expect(err().split('\n')).toEqual([
      'replay: 2 runs',
      'replay: 1 of 2 runs, 0.1/s, 10 s left',
      'replay: done in 10 s',
      'candles: 10000 windows',
      'candles: 500 of 10000 windows, 50/s, 3 min 10 s left',
      '',
    ])
  })

  test.each([
    [0, '0.0 s'],
    [9_940, '9.9 s'],
    [59_499, '59 s'],
    [59_500, '1 min 0 s'],
    [3_599_600, '1 h 0 min'],
  ])('%d ms reads %s', (ms, text) => expect(seconds(ms)).toBe(text))
})
