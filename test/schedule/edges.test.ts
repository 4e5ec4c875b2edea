import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Calendar, loadCalendar } from 'candlehouse-foundation/market/calendar'
import type { Day } from 'candlehouse-foundation/market/day'
import { describe, expect, test } from 'vitest'
import { backfill } from '../../jobs/backfill.js'
import { nightly } from '../../jobs/nightly.js'
import { Verb } from '../../src/cli/verb.js'
import { nightlyVerb } from '../../src/cli/verbs/nightly.js'
import type { Job } from '../../src/run/jobs/job.js'
import { crontab } from '../../src/schedule/crontab.js'
import { runSchedule } from '../../src/schedule/loop.js'
import { inExchangeTime, jobStatus, missedSessions, nextDue } from '../../src/schedule/next.js'
import { jobArguments, type Place } from '../../src/schedule/place.js'
import { systemdUnits } from '../../src/schedule/systemd.js'
import { fakeEffects } from '../support/effects.js'
import { temporaryFolder } from '../support/folder.js'
import { edgeOf, watchedTerminal } from '../support/program.js'

const calendar = loadCalendar()
const at = (text: string): number => Date.parse(`${text}:00+07:00`)
const jobs = [nightly, backfill]

describe('sessions that were missed', () => {
  const missed = (lastDone: Day | undefined, now: string): Day[] =>
    missedSessions(nightly, lastDone, calendar, at(now))

  test.each([
    ['the first run ever, in the morning', undefined, '2025-03-14T09:00', ['2025-03-13']],
    ['the first run ever, in the evening', undefined, '2025-03-14T19:00', ['2025-03-14']],
    ['the first run ever, on a Sunday', undefined, '2025-03-16T12:00', ['2025-03-14']],
    ['a night like any other', '2025-03-13', '2025-03-14T18:30', ['2025-03-14']],
    ['nothing since', '2025-03-14', '2025-03-16T12:00', []],
    ['a run by hand after the close', '2025-03-14', '2025-03-14T18:30', []],
    ['a run for a later date', '2025-03-17', '2025-03-14T18:30', []],
    ['three, over a weekend', '2025-03-12', '2025-03-17T18:30', ['2025-03-13', '2025-03-14', '2025-03-17']],
    ['none on a holiday', '2025-04-29', '2025-05-01T18:30', []],
    ['the one after the holidays', '2025-04-29', '2025-05-05T18:30', ['2025-05-05']],
  ])('%s', (_, lastDone, now, sessions) => {
    expect(missed(lastDone, now)).toEqual(sessions)
  })

  test('of twelve, none is skipped', () => {
    const twelve = missed('2025-03-04', '2025-03-20T18:30')
    expect([twelve.length, twelve[0], twelve.at(-1)]).toEqual([12, '2025-03-05', '2025-03-20'])
    expect(new Set(twelve).size).toBe(12)
  })
})

test('the next run is shown in exchange time, with the offset', () => {
  expect(jobStatus(nightly, at('2025-12-31T18:30'))).toEqual({
    name: 'nightly',
    next: '2026-01-01T18:30+07:00',
    zone: 'Asia/Ho_Chi_Minh',
  })
  expect(inExchangeTime(nextDue(backfill, at('2025-03-15T08:00')))).toBe('2025-03-22T08:00+07:00')
})

describe('a schedule that runs', () => {
  interface Ran {
    ran: { job: string; sessions: number | undefined; at: string }[]
    most: number
  }

  /** Runs both jobs on their schedule; `work` is one run, and returns the session it ended for, if it did. */
  async function runUntil(
    start: string,
    end: string,
    lastDone: Day | undefined,
    work: (job: Job, tick: (minutes: number) => void, count: number) => Day | undefined,
  ): Promise<Ran> {
    const effects = fakeEffects(at(start))
    const stop = new AbortController()
    const result: Ran = { ran: [], most: 0 }
    let [done, running] = [lastDone, 0]
    const tick = (minutes: number): void => {
      effects.advance(minutes * 60_000)
      if (effects.now() >= at(end)) stop.abort()
    }
    await runSchedule(
      {
        jobs,
        calendar: () => calendar,
        execute: async (job, sessions) => {
          running += 1
          result.most = Math.max(result.most, running)
          result.ran.push({ job: job.name, sessions, at: inExchangeTime(effects.now()) })
          await Promise.resolve()
          done = work(job, tick, result.ran.length) ?? done
          running -= 1
        },
        lastDone: async () => done,
        show: () => undefined,
      },
      stop.signal,
      {
        ...effects,
        sleep: async (ms, signal) => {
          signal?.throwIfAborted()
          tick(ms / 60_000)
        },
      },
    )
    return result
  }

  test('catches up in the next run on what a failed run did not do', async () => {
    const { ran } = await runUntil('2025-03-12T12:00', '2025-03-14T20:00', '2025-03-11', (_, tick, count) => {
      tick(1)
      return count < 3 ? undefined : '2025-03-14'
    })
    expect(ran.map((run) => run.at)).toEqual([
      '2025-03-12T18:30+07:00',
      '2025-03-13T18:30+07:00',
      '2025-03-14T18:30+07:00',
    ])
  })

  test('never runs two at once, and nothing twice', async () => {
    const result = await runUntil('2025-03-13T12:00', '2025-03-22T12:00', '2025-03-12', (job, tick) => {
      tick(job.name === 'backfill' ? 26 * 60 : 5)
      return job.name === 'nightly' ? '2025-03-21' : undefined
    })
    expect(result.most).toBe(1)
    expect(new Set(result.ran.map((run) => `${run.job} ${run.at}`)).size).toBe(result.ran.length)
  })

  test('ends with the signal: after the current run no other begins', async () => {
    const { ran } = await runUntil('2025-03-14T18:00', '2025-03-14T18:31', '2025-03-13', (_, tick) => {
      tick(2 * 24 * 60)
      return '2025-03-14'
    })
    expect(ran).toEqual([{ job: 'nightly', sessions: undefined, at: '2025-03-14T18:30+07:00' }])
  })

  test('does not begin when it is already over', async () => {
    const stop = new AbortController()
    stop.abort()
    const execute = (): never => {
      throw new Error('nothing should run')
    }
    const schedule = {
      jobs,
      calendar: () => calendar,
      execute,
      lastDone: async () => undefined,
      show: () => undefined,
    }
    await runSchedule(schedule, stop.signal, fakeEffects(at('2025-03-14T18:30')))
  })

  test('passes on an error of its own: a schedule that runs nothing must not look alive', async () => {
    const broken: Calendar = {
      ...calendar,
      latestClosedSession: () => {
        throw new Error('no calendar')
      },
    }
    const schedule = {
      jobs,
      calendar: () => broken,
      execute: async () => undefined,
      lastDone: async () => undefined,
      show: () => undefined,
    }
    const result = runSchedule(schedule, new AbortController().signal, fakeEffects(at('2025-03-14T10:00')))
    await expect(result).rejects.toThrow('no calendar')
  })

  test.each(['2025-03-04', '2023-12-29'])(
    'after %s passes arguments that the nightly accepts',
    async (lastDone) => {
      const { ran } = await runUntil('2025-03-20T20:00', '2025-03-20T20:05', lastDone, (_, tick) => {
        tick(10)
        return '2025-03-20'
      })
      const [first] = ran
      expect(ran).toHaveLength(1)
      const { terminal } = watchedTerminal()
      const edge = { ...edgeOf(terminal, { cwd: '/' }), endWith: () => undefined }
      const verb = nightlyVerb((...words) => new Verb(...words, edge, fakeEffects())).exitOverride()
      verb.action(() => undefined).configureOutput({ outputError: () => undefined })
      const args = jobArguments(nightly, first?.sessions).slice(1)
      expect(() => verb.parse(args, { from: 'user' })).not.toThrow()
    },
  )
})

/** Folders as people name them. */
const ODD = ['plain', 'with blank', "it's", 'a "b"', '100%', '$HOME', 'a;b&c', 'back\\slash', 'Dữ liệu', '#1']

function placeIn(folder: string): Place {
  const root = join(folder, 'candlehouse')
  const [main, home] = [join(root, 'main.js'), join(folder, 'home')]
  return { node: process.execPath, main, folder, home, user: 'desk' }
}

describe('a crontab line', () => {
  /** What a cron hands to sh: the text after five fields, up to a % that is not escaped. */
  function commands(text: string): string[] {
    return text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const [, command = ''] = /^(?:\S+ ){5}(.*)$/.exec(line) ?? []
        return command.replace(/(?<!\\)%.*$/, '').replaceAll('\\%', '%')
      })
  }

  const clock = (now: string, folder: string): string => {
    const bin = join(folder, 'bin')
    mkdirSync(bin, { recursive: true })
    writeFileSync(join(bin, 'date'), `#!/bin/sh\nexec /bin/date -d '${now}' "$@"\n`, { mode: 0o755 })
    return `${bin}:/usr/bin:/bin`
  }

  test.each(ODD)('in a folder named %s is shell, and gets there', (name) => {
    const folder = join(temporaryFolder(), name)
    mkdirSync(folder)
    const print = join(folder, 'print')
    writeFileSync(print, '#!/bin/sh\nprintf "%s|" "$PWD" "$CANDLEHOUSE_HOME" "$@"\n', { mode: 0o755 })
    const place = { ...placeIn(folder), node: print }
    for (const command of commands(crontab(jobs, place))) {
      expect(spawnSync('/bin/sh', ['-n', '-c', command], { encoding: 'utf8' }).stderr).toBe('')
    }
    const [first = ''] = commands(crontab([nightly], place))
    const env = { PATH: clock('2025-03-14 11:30 UTC', temporaryFolder()) }
    const said = execFileSync('/bin/sh', ['-c', first], { encoding: 'utf8', env })
    expect(said.split('|')).toEqual([folder, place.home, place.main, 'nightly', ''])
  })

  /** Whether the first field of a line means this minute. */
  function wakes(line: string, minute: number): boolean {
    const [, from = '', to = from, step = '1'] = /^(\*|\d+)(?:-(\d+))?(?:\/(\d+))? /.exec(line) ?? []
    const [first, last] = from === '*' ? [0, 59] : [Number(from), Number(to)]
    return minute >= first && minute <= last && (minute - first) % Number(step) === 0
  }

  test.each([
    ['45 8 * * 6', '2025-03-15 01:45 UTC'],
    ['40 18 * * 1-5', '2025-03-14 11:40 UTC'],
    ['0 9 * * 0', '2025-03-16 02:00 UTC'],
    ['0 9 * * 7', '2025-03-16 02:00 UTC'],
    ['0 9 * * 0-5', '2025-03-16 02:00 UTC'],
    ['0 0 * * 1', '2025-03-16 17:00 UTC'],
  ])('starts the job of any schedule that it prints: %s', (schedule, now) => {
    const folder = temporaryFolder()
    const job = { ...nightly, schedule }
    let text: string
    try {
      text = crontab([job], { ...placeIn(folder), node: '/bin/echo' })
    } catch (error) {
      // A schedule that cannot be said may be refused, never printed as a line that does not fire.
      expect(error).toBeInstanceOf(RangeError)
      return
    }
    const line = text.split('\n').find((each) => each !== '' && !each.startsWith('#')) ?? ''
    expect(wakes(line, Number(now.slice(14, 16))), line).toBe(true)
    const [command = ''] = commands(text)
    const said = execFileSync('/bin/sh', ['-c', command], {
      encoding: 'utf8',
      env: { PATH: clock(now, folder) },
    })
    expect(said).toContain('nightly')
  })

  test('is refused for schedules it has no form for', () => {
    for (const schedule of ['*/5 * * * *', '0 8 1 * *', '0 8 * * 1,3', '0 8 * * *'])
      expect(() => crontab([{ ...nightly, schedule }], placeIn('/srv'))).toThrow(RangeError)
  })
})

/** The files of printed units, without the comment before the first one. */
function filesOf(text: string): string[] {
  return text.split(/^(?=# \/etc\/systemd\/system\/)/m).slice(1)
}

describe('systemd units', () => {
  const hasAnalyze = spawnSync('systemd-analyze', ['--version']).status === 0

  test.skipIf(!hasAnalyze)('pass systemd-analyze verify in folders of any name', () => {
    const files: string[] = []
    const keep = temporaryFolder()
    for (const [index, name] of ODD.entries()) {
      const folder = join(keep, name)
      mkdirSync(folder)
      const [place, units] = [placeIn(folder), join(keep, `units-${index}`)]
      mkdirSync(dirname(place.main))
      writeFileSync(place.main, '')
      mkdirSync(units)
      for (const text of filesOf(systemdUnits(jobs, place))) {
        const file = join(units, /^# \S+\/candlehouse-(\S+)/.exec(text)?.[1] ?? 'unnamed')
        const unit = file.replace(/(\w+)(@?\.\w+)$/, `n${index}-$1$2`)
        writeFileSync(unit, text)
        files.push(unit)
      }
    }
    const verified = spawnSync('systemd-analyze', ['verify', ...files], { encoding: 'utf8' })
    expect(verified.stderr.split('\n').filter((line) => /n\d+-/.test(line))).toEqual([])
    expect(verified.status).toBe(0)
  })

  test.each(ODD)('name a folder called %s as systemd reads it', (name) => {
    const place = placeIn(join('/srv', name))
    const text = systemdUnits([nightly], place)
    const value = (key: string): string => new RegExp(`^${key}=(.*)$`, 'm').exec(text)?.[1] ?? ''
    const unquoted = (word: string): string =>
      /^".*"$/.test(word) ? word.slice(1, -1).replaceAll(/\\(.)/g, '$1') : word
    const percent = (word: string): string => word.replaceAll('%%', '%')
    expect(percent(value('WorkingDirectory'))).toBe(place.folder)
    expect(percent(unquoted(value('Environment')))).toBe(`CANDLEHOUSE_HOME=${place.home}`)
    expect(percent(unquoted(value('ReadWritePaths')))).toBe(place.home)
    const [, main = ''] = /^\S+ (".*"|\S+) nightly$/.exec(value('ExecStart')) ?? []
    expect(percent(unquoted(main)).replaceAll('$$', '$')).toBe(place.main)
  })

  test('run once after downtime, and are stopped gently', () => {
    const text = systemdUnits(jobs, placeIn('/srv'))
    expect(text.match(/^Persistent=true$/gm)).toHaveLength(2)
    expect(text.match(/^Type=oneshot$/gm)).toHaveLength(3)
    // The program needs up to five seconds for the page in hand.
    const [, stop = '0'] = /^TimeoutStopSec=(\d+)$/m.exec(text) ?? []
    expect(Number(stop)).toBeGreaterThan(5)
  })
})
