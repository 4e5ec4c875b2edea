import { shellWord } from 'candlehouse-foundation/command-line/shell-word'
import type { Job } from '../run/jobs/job.js'
import { timesOf, weekdaysOf } from './job-times.js'
import { jobArguments, PASSING, type Place } from './place.js'

/**
 * Lines for any cron. They run every quarter of an hour and compare the time in the job's own zone, since not every cron
 * knows CRON_TZ, and the zone of the host does not matter.
 */
export function crontab(jobs: readonly Job[], place: Place): string {
  const command = (job: Job): string =>
    [
      `CANDLEHOUSE_HOME=${shellWord(place.home)}`,
      ...[place.node, place.main, ...jobArguments(job)].map(shellWord),
    ]
      .join(' ')
      .replaceAll('%', '\\%')
  return jobs
    .map((job) => {
      const { minute, hour, weekdays } = timesOf(job)
      // Sunday is 0 to cron and 7 to date.
      const pattern = `[${weekdaysOf(weekdays).join('').replace('0', '7')}]-${hour}:${minute}`
      return `# candlehouse ${job.name}: ${job.about} (${job.schedule}, ${job.zone})
${Number(minute) % 15}-59/15 * * * * case "$(TZ=${job.zone} date +\\%u-\\%H:\\%M)" in ${pattern}) cd ${shellWord(place.folder).replaceAll('%', '\\%')} && ${again(command(job))} ;; esac
`
    })
    .join('\n')
}

/** The command, started again a quarter of an hour after it ended with what passes by itself, five times at most. */
function again(command: string): string {
  const passes = PASSING.map((code) => `[ $s -eq ${code} ]`).join(' || ')
  return `{ n=0; while ${command}; s=$?; ${passes}; do n=$((n+1)); [ $n -le 5 ] || break; sleep 900; done; }`
}
