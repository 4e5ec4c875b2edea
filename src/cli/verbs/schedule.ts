import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { SettingsError, UsageError } from 'candlehouse-foundation/errors'
import { type Calendar, loadCalendar } from 'candlehouse-foundation/market/calendar'
import { Argument, Command, Option } from 'commander'
import { backfill } from '../../../jobs/backfill.js'
import { keepalive } from '../../../jobs/keepalive.js'
import { nightly } from '../../../jobs/nightly.js'
import { packageRoot, packageVersion } from '../../package.js'
import type { Job } from '../../run/jobs/job.js'
import { crontab } from '../../schedule/crontab.js'
import { kubernetesManifests } from '../../schedule/kubernetes.js'
import { jobArguments, type Place } from '../../schedule/place.js'
import { systemdUnits } from '../../schedule/systemd.js'
import { calendarOf } from '../again.js'
import type { Call, CommonOptions, NewVerb } from '../verb.js'

const JOBS: readonly Job[] = [nightly, backfill, keepalive]

type Target = 'systemd' | 'cron' | 'k8s'

export function scheduleVerb(verb: NewVerb): Command {
  const run = verb('run', 'Run the jobs on their schedules until Ctrl-C').writes(
    async (call, options: CommonOptions) => {
      const { requireCallCredentials } = await import('../credentials.js')
      requireCallCredentials(call, 'key')
      call.whenStopped('stopping the schedule after the current page of a job')
      const { home } = call.settings
      const { lastNightly } = await import('../../read/status.js')
      const { runSchedule } = await import('../../schedule/loop.js')
      await runSchedule(
        {
          jobs: JOBS,
          calendar: () => calendarNow(call),
          execute: (job, sessions) => runChild(job, sessions, options, call),
          lastDone: () => lastNightly(home),
          show: (line) => call.terminal.words(line),
        },
        call.signal,
        call.effects,
      )
      call.signal.throwIfAborted()
    },
  )
  const print = verb('print', 'Print configuration of another scheduler that runs the jobs')
    .addArgument(new Argument('<target>', 'scheduler to print for').choices(['systemd', 'cron', 'k8s']))
    .option('--user <name>', 'systemd: user that the jobs run as (default: this user)')
    .addOption(
      new Option('--image <name>', 'k8s: image that was built from the Dockerfile').default(
        `candlehouse:${packageVersion}`,
      ),
    )
    .writes(async (call, target: Target, options: { user?: string; image: string }) => {
      const place = { ...placeOf(call), ...(options.user === undefined ? {} : { user: options.user }) }
      requirePrintable(place)
      const text = {
        systemd: () => systemdUnits(JOBS, place),
        cron: () => crontab(JOBS, place),
        k8s: () => kubernetesManifests(JOBS, options.image),
      }[target]()
      await call.print({ target, text }, text)
    })
  return new Command('schedule')
    .description('Run the jobs on their schedules, or print configuration for another scheduler')
    .addCommand(run)
    .addCommand(print)
}

function placeOf({ folder, settings }: Call): Place {
  return {
    node: process.execPath,
    main: join(packageRoot, 'dist', 'src', 'main.js'),
    folder,
    home: settings.home,
    user: thisUser(),
  }
}

/** The user's name as systemd accepts one; else the number. */
function thisUser(): string {
  const { username, uid } = userInfo()
  return /^[A-Za-z_][\w.-]*$/.test(username) ? username : String(uid)
}

/** A line of a unit or of a crontab ends at a line break, whatever it is quoted with. @throws UsageError */
function requirePrintable(place: Place): void {
  const odd = Object.values(place).find((text) => /\p{Cc}/u.test(text))
  if (odd === undefined) return
  throw new UsageError(`${JSON.stringify(odd)} has a control character, which units cannot contain`, {
    hint: 'move candlehouse and its home to paths without it',
  })
}

/** Read before each decision: the user may extend it meanwhile. A fault in the file ends the next run, not the schedule. */
function calendarNow(call: Call): Calendar {
  try {
    return calendarOf(call)
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    call.terminal.complain(error.message)
    return loadCalendar()
  }
}

/** One process per run: its memory and its lock end with it, and a crash does not end the schedule. */
async function runChild(
  job: Job,
  sessions: number | undefined,
  options: CommonOptions,
  call: Call,
): Promise<void> {
  const { node, main } = placeOf(call)
  const flags = [
    ...(options.quiet ? ['--quiet'] : []),
    ...(options.home ? ['--home', options.home] : []),
    ...(options.baseUrl ? ['--base-url', options.baseUrl] : []),
    ...(options.maxRps ? ['--max-rps', options.maxRps] : []),
  ]
  const child = spawn(node, [main, ...jobArguments(job, sessions), ...flags], {
    stdio: ['ignore', 'inherit', 'inherit'],
    cwd: call.folder,
    env: { ...call.environment },
    // Ctrl-C reaches all processes of a terminal. A second signal would stop the run before its current page ends.
    detached: true,
  })
  const stop = (): void => {
    child.kill('SIGINT')
  }
  call.signal.addEventListener('abort', stop, { once: true })
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  call.signal.removeEventListener('abort', stop)
  if (code !== 0) call.terminal.complain(`${job.name} ended with ${code === null ? signal : `exit ${code}`}`)
}
