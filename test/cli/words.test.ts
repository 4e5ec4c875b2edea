import { PassThrough } from 'node:stream'
import { reportFailure } from 'candlehouse-foundation/command-line/failure'
import { createTerminal } from 'candlehouse-foundation/command-line/terminal'
import { LockedError } from 'candlehouse-foundation/errors'
import { CommanderError } from 'commander'
import { describe, expect, test } from 'vitest'
import { createProgress, seconds } from '../../src/cli/progress.js'
import { fakeEffects } from '../support/effects.js'

function terminal() {
  const stdout = new PassThrough()
  const stderr = new PassThrough()
  const written = (stream: PassThrough): string => {
    let text = ''
    for (let piece = stream.read(); piece !== null; piece = stream.read()) text += String(piece)
    return text
  }
  return {
    terminal: createTerminal({ stdout, stderr }),
    out: () => written(stdout),
    err: () => written(stderr),
  }
}

describe('messages', () => {
  test('contain no secret, in any spelling', () => {
    const { terminal: words, err } = terminal()
    words.keepSecret(['s3cr3t/k3y'])
    words.words(`key s3cr3t/k3y, in a URL ${encodeURIComponent('s3cr3t/k3y')}`)
    expect(err()).toBe('key [secret], in a URL [secret]\n')
  })

  test('contain no control characters', () => {
    const { terminal: words, err } = terminal()
    words.complain('a\u001b[2Jb\u202ec\u0007d\ne\tf')
    expect(err()).toBe('a\\u{1b}[2Jb\\u{202e}c\\u{7}d\ne\tf\n')
  })

  test('begin on a line of their own where a progress bar stands on it', () => {
    const { terminal: words, err } = terminal()
    words.drawing(true)
    words.words('stopping after the current page')
    words.drawing(false)
    words.words('stopped')
    expect(err()).toBe('\nstopping after the current page\nstopped\n')
  })

  test('are hidden by --quiet, errors are not', () => {
    const { terminal: words, err } = terminal()
    words.silence()
    words.words('by the way')
    words.complain('but')
    expect(err()).toBe('but\n')
  })
})

describe('a failure', () => {
  const call = { json: false, verb: 'nightly' }

  test('of a known family has an exit code and what to type next', async () => {
    const { terminal: words, out, err } = terminal()
    const error = new LockedError('another run holds it (pid 42)', { hint: 'wait for it' })
    expect(await reportFailure(error, { json: true, verb: 'nightly' }, words)).toBe(75)
    expect(err()).toBe('candlehouse: another run holds it (pid 42)\n  next: wait for it\n')
    expect(JSON.parse(out())).toEqual({
      error: { exitCode: 75, message: 'another run holds it (pid 42)', hint: 'wait for it' },
    })
  })

  test('of an unknown kind is a bug: exit code 1, with its stack', async () => {
    const { terminal: words, err } = terminal()
    expect(await reportFailure(new TypeError('x is undefined'), call, words)).toBe(1)
    expect(err()).toMatch(/this is a bug: TypeError: x is undefined\n +at /)
  })

  test('of the command line is 2; help is not a failure', async () => {
    const { terminal: words, err } = terminal()
    expect(
      await reportFailure(new CommanderError(1, 'commander.unknownOption', 'error: no'), call, words),
    ).toBe(2)
    expect(err()).toBe('candlehouse: no\n  next: candlehouse nightly --help\n')
    expect(await reportFailure(new CommanderError(0, 'commander.helpDisplayed', ''), call, words)).toBe(0)
  })
})

describe('progress without a terminal', () => {
  test('of a phase without a total shows its last note', () => {
    const effects = fakeEffects(0)
    const { terminal: words, err } = terminal()
    const progress = createProgress(words, false, effects)
    progress.phase('export')
    progress.advance(0, '65,536 rows')
    effects.advance(10_000)
    progress.advance(0, '131,072 rows')
    progress.done()
    expect(err()).toBe('export: 131,072 rows\nexport: done in 10 s\n')
  })

  test('is a line at the start, at the end, and every ten seconds in between: count, rate, time left', async () => {
    const { terminal: words, err } = terminal()
    const effects = fakeEffects(0)
    const progress = createProgress(words, false, effects)
    progress.phase('candles', 100)
    for (let step = 0; step < 50; step++) {
      await effects.sleep(500)
      progress.advance(1)
    }
    progress.done()
    expect(err().split('\n')).toEqual([
      'candles: 100 windows',
      'candles: 20 of 100 windows, 2.0/s, 40 s left',
      'candles: 40 of 100 windows, 2.0/s, 30 s left',
      'candles: done in 25 s',
      '',
    ])
  })

  test('is nothing with --quiet', () => {
    const { terminal: words, err } = terminal()
    const progress = createProgress(words, true, fakeEffects(0))
    progress.phase('lists', 4)
    progress.advance(4)
    progress.done()
    expect(err()).toBe('')
  })

  test.each([
    [400, '0.4 s'],
    [12_300, '12 s'],
    [185_000, '3 min 5 s'],
    [7_800_000, '2 h 10 min'],
  ])('%d ms reads %s', (ms, text) => {
    expect(seconds(ms)).toBe(text)
  })
})
