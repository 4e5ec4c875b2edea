import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { backfill } from '../../jobs/backfill.js'
import { nightly } from '../../jobs/nightly.js'
import { crontab, jobArguments, k8sManifests, type Place, systemdUnits } from '../../src/schedule/units.js'
import { temporaryFolder } from '../support/folder.js'

const jobs = [nightly, backfill]

function placeIn(folder: string): Place {
  return {
    node: process.execPath,
    main: join(folder, 'candle house', 'dist', 'main.js'),
    root: join(folder, 'candle house'),
    folder,
    home: join(folder, "the 100% $home's"),
  }
}

const hasAnalyze = spawnSync('systemd-analyze', ['--version']).status === 0

describe('systemd units', () => {
  test.skipIf(!hasAnalyze)('pass systemd-analyze verify as printed', () => {
    const folder = temporaryFolder()
    const place = placeIn(folder)
    mkdirSync(join(folder, 'candle house', 'dist'), { recursive: true })
    writeFileSync(place.main, '')
    const files = systemdUnits(jobs, place)
      .split(/^(?=# \/etc\/systemd\/system\/)/m)
      .map((text) => {
        const file = join(folder, /^# \S+\/(\S+)/.exec(text)?.[1] ?? 'unnamed')
        writeFileSync(file, text)
        return file
      })
    expect(files.map((file) => file.split('/').at(-1))).toEqual([
      'candlehouse-nightly.service',
      'candlehouse-nightly.timer',
      'candlehouse-backfill.service',
      'candlehouse-backfill.timer',
    ])
    const verified = spawnSync('systemd-analyze', ['verify', ...files], { encoding: 'utf8' })
    expect(verified.stderr.split('\n').filter((line) => line.includes('candlehouse'))).toEqual([])
    expect(verified.status).toBe(0)
  })

  test.skipIf(!hasAnalyze)('say when, in the zone of the job', () => {
    const times = [...systemdUnits(jobs, placeIn('/srv')).matchAll(/^OnCalendar=(.+)$/gm)].map(
      ([, time]) => time ?? '',
    )
    expect(times).toEqual([
      'Mon,Tue,Wed,Thu,Fri *-*-* 18:30:00 Asia/Ho_Chi_Minh',
      'Sat *-*-* 08:00:00 Asia/Ho_Chi_Minh',
    ])
    for (const time of times) execFileSync('systemd-analyze', ['calendar', time], { stdio: 'pipe' })
  })

  test('run the verbs of the jobs', () => {
    expect(jobArguments(nightly)).toEqual(['nightly'])
    expect(jobArguments(nightly, 12)).toEqual(['nightly', '--sessions', '12'])
    expect(jobArguments(backfill)).toEqual(['backfill', 'all'])
    expect(systemdUnits(jobs, placeIn('/srv'))).toContain(
      `ExecStart=${process.execPath} "/srv/candle house/dist/main.js" nightly`,
    )
  })
})

describe('a crontab', () => {
  /** Runs a line as cron does: % unescaped, by sh, with a clock and a node of our own. */
  function runLine(line: string, folder: string, now: string): string {
    const command = line.replace(/^0-59\/15( \*){4} /, '').replaceAll('\\%', '%')
    const bin = join(folder, 'bin')
    mkdirSync(bin, { recursive: true })
    writeFileSync(join(bin, 'date'), `#!/bin/sh\nexec /bin/date -d '${now}' "$@"\n`, { mode: 0o755 })
    return execFileSync('/bin/sh', ['-c', command], {
      encoding: 'utf8',
      env: { PATH: `${bin}:/usr/bin:/bin` },
    })
  }

  test('starts the job at its time in its own zone, whatever the zone of the host', () => {
    const folder = temporaryFolder()
    const place = { ...placeIn(folder), node: '/bin/echo' }
    const [line = ''] = crontab([nightly], place)
      .split('\n')
      .filter((each) => each.startsWith('0-59/15'))
    expect(runLine(line, folder, '2025-03-14 11:30 UTC')).toBe(`${place.main} nightly\n`)
    expect(runLine(line, folder, '2025-03-14 11:45 UTC')).toBe('')
    expect(runLine(line, folder, '2025-03-15 11:30 UTC')).toBe('')
  })

  test('describes what each job does and when', () => {
    expect(crontab(jobs, placeIn('/srv'))).toContain('# candlehouse nightly: ')
    expect(crontab(jobs, placeIn('/srv'))).toContain('(0 8 * * 6, Asia/Ho_Chi_Minh)')
  })
})

describe('manifests for Kubernetes', () => {
  test('are one CronJob per job, in its zone, never two at once', () => {
    const manifests = k8sManifests(jobs, placeIn('/srv'), '22').split('---\n')
    expect(manifests.length).toBe(2)
    for (const [index, job] of jobs.entries()) {
      const text = manifests[index] ?? ''
      expect(text).toContain('kind: CronJob')
      expect(text).toContain(`schedule: "${job.schedule}"`)
      expect(text).toContain('timeZone: Asia/Ho_Chi_Minh')
      expect(text).toContain('concurrencyPolicy: Forbid')
      expect(text).toContain(`command: ["node","/srv/candle house/dist/main.js",`)
      expect(text).not.toContain('\t')
    }
  })

  test('mount every folder once, also where installation and working folder are one', () => {
    const place = { ...placeIn('/srv'), root: '/srv' }
    const [text = ''] = k8sManifests([nightly], place, '22').split('---\n')
    expect([...text.matchAll(/mountPath: ("[^"]+")/g)].map(([, path]) => path)).toEqual([
      '"/srv"',
      JSON.stringify(place.home),
    ])
  })
})
