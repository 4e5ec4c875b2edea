import type { Job } from '../run/jobs/job.js'

/** Where the printed units run: all paths absolute. */
export interface Place {
  node: string
  main: string
  /** Where candlehouse is installed. */
  root: string
  /** Working folder: .env and candlehouse.toml. */
  folder: string
  home: string
}

/** Arguments of a job's verb as a scheduler calls it. */
export function jobArguments(job: Job, sessions?: number): string[] {
  const verb = job.name === 'backfill' ? ['backfill', 'all'] : [job.name]
  return [...verb, ...(sessions === undefined ? [] : ['--sessions', String(sessions)])]
}

/** A service and a timer for every job. Each file begins with its path, so that the output can be split. */
export function systemdUnits(jobs: readonly Job[], place: Place): string {
  return jobs
    .flatMap((job) => [
      `# /etc/systemd/system/candlehouse-${job.name}.service
[Unit]
Description=candlehouse ${job.name}: ${job.about}
Wants=network-online.target
After=network-online.target

[Service]
Type=oneshot
WorkingDirectory=${unitPath(place.folder)}
Environment="CANDLEHOUSE_HOME=${unitText(place.home)}"
ExecStart=${[place.node, place.main, ...jobArguments(job)].map(unitWord).join(' ')}
UMask=0077
TimeoutStopSec=10
`,
      `# /etc/systemd/system/candlehouse-${job.name}.timer
[Unit]
Description=candlehouse ${job.name} on its schedule

[Timer]
OnCalendar=${onCalendar(job)}
# After downtime one run catches up on what was missed.
Persistent=true

[Install]
WantedBy=timers.target
`,
    ])
    .join('\n')
}

/**
 * Lines for any cron. They run every quarter of an hour and compare the time in the job's own zone, since not every cron
 * knows CRON_TZ, and the zone of the host does not matter.
 */
export function crontab(jobs: readonly Job[], place: Place): string {
  const command = (job: Job): string =>
    [`CANDLEHOUSE_HOME=${shell(place.home)}`, ...[place.node, place.main, ...jobArguments(job)].map(shell)]
      .join(' ')
      .replaceAll('%', '\\%')
  return jobs
    .map((job) => {
      const { minute, hour, weekdays } = timesOf(job)
      // Sunday is 0 to cron and 7 to date.
      const pattern = `[${daysOf(weekdays).join('').replace('0', '7')}]-${hour}:${minute}`
      return `# candlehouse ${job.name}: ${job.about} (${job.schedule}, ${job.zone})
${Number(minute) % 15}-59/15 * * * * case "$(TZ=${job.zone} date +\\%u-\\%H:\\%M)" in ${pattern}) cd ${shell(place.folder).replaceAll('%', '\\%')} && ${command(job)} ;; esac
`
    })
    .join('\n')
}

/** A CronJob for every job, on the node that holds this installation. */
export function k8sManifests(jobs: readonly Job[], place: Place, nodeVersion: string): string {
  const mounts = [...new Set([place.root, place.folder, place.home])]
  return jobs
    .map(
      (job) => `apiVersion: batch/v1
kind: CronJob
metadata:
  name: candlehouse-${job.name}
spec:
  schedule: ${JSON.stringify(job.schedule)}
  timeZone: ${job.zone}
  concurrencyPolicy: Forbid
  startingDeadlineSeconds: 86400
  jobTemplate:
    spec:
      backoffLimit: 0
      template:
        spec:
          restartPolicy: Never
          containers:
            - name: candlehouse
              image: node:${nodeVersion}-bookworm-slim
              workingDir: ${JSON.stringify(place.folder)}
              command: ${JSON.stringify(['node', place.main, ...jobArguments(job)])}
              env:
                - name: CANDLEHOUSE_HOME
                  value: ${JSON.stringify(place.home)}
              envFrom:
                - secretRef:
                    name: candlehouse
                    optional: true
              volumeMounts:
${mounts.map((path, index) => `                - { name: folder-${index}, mountPath: ${JSON.stringify(path)} }`).join('\n')}
          # Credentials: kubectl create secret generic candlehouse --from-env-file=.env
          volumes:
${mounts.map((path, index) => `            - { name: folder-${index}, hostPath: { path: ${JSON.stringify(path)}, type: DirectoryOrCreate } }`).join('\n')}
`,
    )
    .join('---\n')
}

/** Jobs run at one time of day, or every hour, on some weekdays; the units have no form for anything else. */
function timesOf(job: Job): { minute: string; hour: string; weekdays: string } {
  const [, minute, hour, weekdays] = /^(\d+) (\d+|\*) \* \* (\d(?:-\d)?)$/.exec(job.schedule) ?? []
  if (!minute || !hour || !weekdays)
    throw new RangeError(`${job.name}: units have no form for the schedule '${job.schedule}'`)
  return { minute: minute.padStart(2, '0'), hour: hour === '*' ? hour : hour.padStart(2, '0'), weekdays }
}

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** `1-5` as its days. */
function daysOf(weekdays: string): number[] {
  const [first = 0, last = first] = weekdays.split('-').map(Number)
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

function onCalendar(job: Job): string {
  const { minute, hour, weekdays } = timesOf(job)
  const days = daysOf(weekdays).map((day) => DAYS[day])
  return `${days.join(',')} *-*-* ${hour}:${minute}:00 ${job.zone}`
}

function shell(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

/** systemd expands % and, in commands, $. */
function unitText(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%')
}

function unitWord(word: string): string {
  const text = unitText(word).replaceAll('$', '$$$$')
  return /[\s"'\\]/.test(word) ? `"${text}"` : text
}

/** A path on a line of its own is not quoted. */
function unitPath(path: string): string {
  return path.replaceAll('%', '%%')
}
