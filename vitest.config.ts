import { existsSync, statfsSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { OPTIMISE_LATER, optimiseLater } from './src/cli/optimise-later.js'
import { APART, LENGTHY, PROGRAM, PURE } from './test/support/projects.js'
import { LongestFirst } from './test/support/sequence.js'

// Tests write and sync thousands of small homes: in memory, where there is room, which leaves a third of the system's time.
const MEMORY = '/dev/shm'
const ROOM_BYTES = 4e9
if (existsSync(MEMORY)) {
  const { bavail, bsize } = statfsSync(MEMORY)
  if (bavail * bsize > ROOM_BYTES) process.env.TMPDIR ??= MEMORY
}

// Workers inherit what malloc of glibc reads when a process starts. Without it memory goes back to the system after every
// statement of DuckDB and is asked for again before the next one: a twelfth of the time of a night.
process.env.MALLOC_TOP_PAD_ ??= String(64 * 2 ** 20)
process.env.MALLOC_TRIM_THRESHOLD_ ??= String(2 ** 30)
process.env.MALLOC_MMAP_THRESHOLD_ ??= String(2 ** 30)

// A fifth of the time of a night is glibc's malloc. With jemalloc, where it is installed, a sixth of a file's time goes: 36.6 -> 30.7
// CPU-s for publish/withheld and mart/cases. Processes that are workers take it; those that tests start do not (test/support/setup.ts).
const JEMALLOC = ['x86_64', 'aarch64'].map((machine) => `/usr/lib/${machine}-linux-gnu/libjemalloc.so.2`)
const jemalloc = JEMALLOC.find((file) => existsSync(file))
if (jemalloc) process.env.LD_PRELOAD ??= jemalloc

// Neither it nor the one that is part of DuckDB gives memory back between two statements: a quarter of the system's time of a file.
process.env.MALLOC_CONF ??= 'dirty_decay_ms:-1,muzzy_decay_ms:-1'
process.env.DUCKDB_JE_MALLOC_CONF ??= process.env.MALLOC_CONF

// DuckDB takes as many threads as this says. Tests have few rows, so that a second thread only waits for the first: a
// thirtieth to a fourteenth of a file's time. The writer leaves one core free anyway. Programs that tests start get no
// environment of ours, and `make soak` sets nothing: both have the threads of the machine.
process.env.SLURM_CPUS_ON_NODE ??= '1'

// A fifth of the CPU time of `pure`, a twentieth of the others'. Workers that are threads take it from this process.
optimiseLater()

// Vitest takes another number of workers only for projects that run one after another.
const AFTER_PURE = { groupOrder: 1 }

export default defineConfig({
  // candlehouse-client and the other packages of this repository, as their sources.
  resolve: { tsconfigPaths: true },
  test: {
    // A machine four times as slow, and busy with other things.
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
    expect: { poll: { timeout: 240_000 } },
    sequence: { sequencer: LongestFirst },
    // Two cores. With two workers a seventh of the time nobody computes: they wait for programs that they have started.
    maxWorkers: 3,
    projects: [
      {
        extends: true,
        test: {
          name: 'pure',
          include: PURE,
          exclude: APART,
          setupFiles: ['test/support/setup.ts'],
          pool: 'threads',
          isolate: false,
          // They hardly wait, and every further worker loads and compiles the modules once more: an eighth of the CPU time.
          maxWorkers: 2,
        },
      },
      {
        extends: true,
        test: {
          name: 'duckdb',
          include: ['test/**/*.test.ts'],
          exclude: [...APART, ...PURE, ...PROGRAM, ...(process.env.UNIT === '1' ? LENGTHY : [])],
          setupFiles: ['test/support/setup.ts'],
          pool: 'forks',
          execArgv: OPTIMISE_LATER,
          isolate: false,
          sequence: AFTER_PURE,
        },
      },
      {
        extends: true,
        test: {
          name: 'program',
          include: PROGRAM,
          setupFiles: ['test/support/setup.ts'],
          globalSetup: ['test/support/build.ts', 'test/support/baselines.ts'],
          pool: 'forks',
          execArgv: OPTIMISE_LATER,
          isolate: false,
          sequence: AFTER_PURE,
        },
      },
    ],
  },
})
