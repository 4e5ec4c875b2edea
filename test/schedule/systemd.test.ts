import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { backfill } from '../../jobs/backfill.js'
import { keepalive } from '../../jobs/keepalive.js'
import { nightly } from '../../jobs/nightly.js'
import { systemdUnits } from '../../src/schedule/systemd.js'
import { temporaryFolder } from '../support/folder.js'
import { cli } from '../support/program.js'
import { placeIn } from './support/place.js'

const jobs = [nightly, backfill, keepalive]

const hasAnalyze = spawnSync('systemd-analyze', ['--version']).status === 0

/** Installs units as the comment at their top shows, into a folder, and returns their names. */
function install(text: string, folder: string): string[] {
  const [, program = ''] = /sudo awk '(.*)'$/m.exec(text) ?? []
  execFileSync('awk', [program.replace('file = $2', `file = $2; sub(/.*\\//, "${folder}/", file)`)], {
    input: text,
  })
  return readdirSync(folder).sort()
}

describe('systemd units', () => {
  test('become files by the command that they show, and the timers that it enables are among them', () => {
    const folder = temporaryFolder()
    const text = systemdUnits(jobs, placeIn('/srv'))
    const files = install(text, folder)
    expect(files).toEqual([
      'candlehouse-backfill.service',
      'candlehouse-backfill.timer',
      'candlehouse-failed@.service',
      'candlehouse-keepalive.service',
      'candlehouse-keepalive.timer',
      'candlehouse-nightly.service',
      'candlehouse-nightly.timer',
    ])
    const [, enabled = ''] = /enable --now (.*)$/m.exec(text) ?? []
    expect(enabled.split(' ').sort()).toEqual(files.filter((name) => name.endsWith('.timer')))
    const unit = /^OnFailure=(.*)$/m.exec(text)?.[1]?.replace('%n', '')
    expect(files).toContain(unit)
  })

  test.skipIf(!hasAnalyze)('pass systemd-analyze verify as printed (where there is one)', () => {
    const [folder, units] = [temporaryFolder(), temporaryFolder()]
    const place = placeIn(folder)
    mkdirSync(dirname(place.main), { recursive: true })
    writeFileSync(place.main, '')
    const files = install(systemdUnits(jobs, place), units).map((name) => join(units, name))
    const verified = spawnSync('systemd-analyze', ['verify', ...files], { encoding: 'utf8' })
    expect(verified.stderr.split('\n').filter((line) => line.includes('candlehouse'))).toEqual([])
    expect(verified.status).toBe(0)
  })

  test.skipIf(!hasAnalyze)('are rated OK by systemd-analyze security (where there is one)', () => {
    const units = temporaryFolder()
    install(systemdUnits(jobs, placeIn('/srv')), units)
    const file = join(units, 'candlehouse-nightly.service')
    // From 0 for closed to 10 for open. What is left: the network, and that V8 writes code.
    const rated = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=20', file], {
      encoding: 'utf8',
    })
    expect(rated.status, rated.stdout + rated.stderr).toBe(0)
  })

  test.skipIf(!hasAnalyze)('name times that systemd reads, in the zone of the job', () => {
    const text = systemdUnits(jobs, placeIn('/srv'))
    const times = [...text.matchAll(/^OnCalendar=(.+)$/gm)].map(([, time]) => time ?? '')
    expect(times).toEqual([
      'Mon,Tue,Wed,Thu,Fri *-*-* 18:30:00 Asia/Ho_Chi_Minh',
      'Sat *-*-* 08:00:00 Asia/Ho_Chi_Minh',
      'Sun,Mon,Tue,Wed,Thu,Fri,Sat *-*-* *:20:00 Asia/Ho_Chi_Minh',
    ])
    for (const time of times) execFileSync('systemd-analyze', ['calendar', time], { stdio: 'pipe' })
  })

  test('run the verbs as the user, write to the home only, and let V8 compile', () => {
    const text = systemdUnits([nightly], placeIn('/srv'))
    expect(text).toContain(`ExecStart=${process.execPath} "/srv/candle house/dist/main.js" nightly`)
    expect(text).toContain('User=desk\n')
    expect(text).toContain('ProtectSystem=strict\nReadWritePaths="/srv/the 100%% $home\'s"\n')
    expect(text).not.toMatch(/^MemoryDenyWriteExecute/m)
    expect(text).toMatch(/^PrivateTmp=yes$/m)
    expect(systemdUnits([nightly], placeIn('/tmp/x'))).not.toMatch(/^PrivateTmp/m)
  })

  test('are printed for this user or the one that is named; not for a path with a line break', async () => {
    const cwd = temporaryFolder()
    const args = ['schedule', 'print', 'systemd']
    expect((await cli([...args, '--user', '1234'], { cwd })).stdout).toContain('User=1234\n')
    expect((await cli(args, { cwd })).stdout).toMatch(/^User=[\w.-]+$/m)
    const odd = await cli([...args, '--home', join(cwd, 'a\nb')], { cwd })
    expect([odd.code, odd.stdout]).toEqual([2, ''])
    expect(odd.stderr).toContain('control character')
  })
})
