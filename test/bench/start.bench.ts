/** CPU-seconds of command lines, as multiples of `node -e 0`, measured in turns: `make bench`. Needs bash, for its `time`. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packageRoot } from '../../src/package.js'
import { median, record } from './results.js'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 7)

const folder = mkdtempSync(join(tmpdir(), 'candlehouse-bench-'))
const program = join(packageRoot, 'dist/src/main.js')
const NIGHTLY = ['nightly', '--date', '2025-11-20', '--quiet']

/** Command lines, the bare Node first; the nightly is one for which nothing has changed. */
const LINES: readonly (readonly string[])[] = [
  ['-e', '0'],
  [program, '--version'],
  [program, '--help'],
  [program, 'config', 'show'],
  [program, 'sql', 'select 1'],
  [program, 'status'],
  [program, ...NIGHTLY],
]

/** User and system seconds of a process, and how long it took. */
interface Spent {
  cpu: number
  wall: number
}

function spend(args: readonly string[]): Spent {
  const script = `TIMEFORMAT='%U %S %R'; { time "$@" >/dev/null 2>&1; } 2>&1`
  const times = execFileSync('bash', ['-ec', script, 'bash', process.execPath, ...args], { cwd: folder })
  const [user = 0, system = 0, wall = 0] = String(times).trim().split(' ').map(Number)
  return { cpu: user + system, wall }
}

try {
  execFileSync(process.execPath, [program, ...NIGHTLY], { cwd: folder })
  const rounds = LINES.map((): Spent[] => [])
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [index, args] of LINES.entries()) rounds[index]?.push(spend(args))
  const [bare, ...others] = rounds.map((all) => ({
    cpu: median(all.map(({ cpu }) => cpu)),
    wall: median(all.map(({ wall }) => wall)),
  }))
  for (const [index, { cpu, wall }] of others.entries())
    record({
      what: `start: ${LINES[index + 1]?.slice(1).join(' ')}`,
      ours: `${cpu.toFixed(3)} CPU-s in ${wall.toFixed(2)} s`,
      beside: `node -e 0 ${(bare?.cpu ?? 0).toFixed(3)}`,
      ratio: cpu / (bare?.cpu ?? 1),
    })
} finally {
  rmSync(folder, { recursive: true })
}
