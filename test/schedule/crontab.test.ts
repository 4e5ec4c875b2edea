import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { backfill } from '../../jobs/backfill.js'
import { nightly } from '../../jobs/nightly.js'
import { crontab } from '../../src/schedule/crontab.js'
import { jobArguments } from '../../src/schedule/place.js'
import { temporaryFolder } from '../support/folder.js'
import { placeIn } from './support/place.js'

const jobs = [nightly, backfill]

test('jobs run their verbs', () => {
  expect(jobArguments(nightly)).toEqual(['nightly'])
  expect(jobArguments(nightly, 12)).toEqual(['nightly', '--sessions', '12'])
  expect(jobArguments(backfill)).toEqual(['backfill', 'all'])
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

  test('starts a job again after an outage and while another run works, five times, and after nothing else', () => {
    const starts = (code: number): string => {
      const folder = temporaryFolder()
      const node = join(folder, 'node')
      writeFileSync(node, `#!/bin/sh\necho started\nexit ${code}\n`, { mode: 0o755 })
      mkdirSync(join(folder, 'bin'))
      writeFileSync(join(folder, 'bin', 'sleep'), '#!/bin/sh\necho "waits $1"\n', { mode: 0o755 })
      const [line = ''] = crontab([nightly], { ...placeIn(folder), node })
        .split('\n')
        .filter((each) => each.startsWith('0-59/15'))
      return runLine(line, folder, '2025-03-14 11:30 UTC')
    }
    for (const code of [0, 1, 3, 4, 6]) expect(starts(code)).toBe('started\n')
    for (const code of [5, 75]) expect(starts(code)).toBe(`${'started\nwaits 900\n'.repeat(5)}started\n`)
  })

  test('describes what each job does and when', () => {
    expect(crontab(jobs, placeIn('/srv'))).toContain('# candlehouse nightly: ')
    expect(crontab(jobs, placeIn('/srv'))).toContain('(0 8 * * 6, Asia/Ho_Chi_Minh)')
  })
})
