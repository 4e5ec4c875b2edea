import type { Job } from '../run/jobs/job.js'
import { timesOf, weekdaysOf } from './job-times.js'
import { jobArguments, LASTING, type Place } from './place.js'

const FOLDER = '/etc/systemd/system'

/**
 * A service and a timer for every job, and the unit that a failed service starts. Every file begins with its path, so
 * that the output can be split; the comment before the first one shows how.
 */
export function systemdUnits(jobs: readonly Job[], place: Place): string {
  return [
    howToInstall(jobs, place),
    ...jobs.flatMap((job) => [service(job, place), timer(job)]),
    FAILED,
  ].join('\n')
}

function howToInstall(jobs: readonly Job[], { home, user }: Place): string {
  const timers = jobs.map(({ name }) => `candlehouse-${name}.timer`).join(' ')
  return `# Units of candlehouse for systemd. Each part below is a file; its first line is its path. To install them:
#
#   candlehouse schedule print systemd | sudo awk '/^# \\/etc\\/systemd\\/system\\// { file = $2 } file { print > file }'
#   sudo systemctl daemon-reload
#   sudo systemctl enable --now ${timers}
#
# To try: sudo systemctl start candlehouse-nightly.service; journalctl -u candlehouse-nightly.service
# When they run: systemctl list-timers 'candlehouse-*'
#
# The services run as ${commentText(user)}, who must own the home, and must be able to read .env of the working folder.
# The home must exist: ${commentText(home)}
`
}

function service(job: Job, place: Place): string {
  return `# ${FOLDER}/candlehouse-${job.name}.service
[Unit]
Description=candlehouse ${job.name}: ${job.about}
Wants=network-online.target
After=network-online.target
OnFailure=candlehouse-failed@%n.service
# Of the runs below; what is left after them is a failure.
StartLimitIntervalSec=6h
StartLimitBurst=6

[Service]
Type=oneshot
# An outage of the service, another run at work and a killed process pass. Any other end stays as it is.
Restart=on-failure
RestartPreventExitStatus=${LASTING.join(' ')}
RestartSec=15min
User=${unitText(place.user)}
WorkingDirectory=${place.folder.replaceAll('%', '%%')}
Environment="CANDLEHOUSE_HOME=${unitText(place.home)}"
ExecStart=${[place.node, place.main, ...jobArguments(job)].map(unitWord).join(' ')}
UMask=0077
TimeoutStopSec=10
${hardening(place)}`
}

/** What a run does not need is taken from it. It writes below its home, and asks one service. */
function hardening({ home, folder, main, node }: Place): string {
  const isInTmp = [home, folder, main, node].some((path) => /^\/(var\/)?tmp\//.test(path))
  return `# The whole system is read-only for it, except for its home.
ProtectSystem=strict
ReadWritePaths="${unitText(home)}"
ProtectHome=read-only
${isInTmp ? '# PrivateTmp=yes would hide the folders of this unit, which are in /tmp.' : 'PrivateTmp=yes'}
PrivateDevices=yes
PrivateMounts=yes
NoNewPrivileges=yes
CapabilityBoundingSet=
AmbientCapabilities=
RestrictSUIDSGID=yes
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
LockPersonality=yes
RemoveIPC=yes
ProtectClock=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectControlGroups=yes
ProtectProc=invisible
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallErrorNumber=EPERM
# MemoryDenyWriteExecute=yes would stop Node: V8 compiles code while it runs.
# CANDLEHOUSE_NOTIFY_COMMAND runs in here too: programs that need setuid or setgid, as the sendmail of Postfix does, fail.
# Mail belongs into ${FOLDER}/candlehouse-failed@.service, which is not restricted.
`
}

function timer(job: Job): string {
  return `# ${FOLDER}/candlehouse-${job.name}.timer
[Unit]
Description=candlehouse ${job.name} on its schedule

[Timer]
OnCalendar=${onCalendar(job)}
# After downtime one run catches up on what was missed.
Persistent=true

[Install]
WantedBy=timers.target
`
}

/** What happens when a service ends with another code than 0; the user replaces its command. */
const FAILED = `# ${FOLDER}/candlehouse-failed@.service
[Unit]
Description=Report that %i has failed

[Service]
Type=oneshot
# Replace it by what you want to happen. %i is the service that failed; with mail, for instance:
# ExecStart=/bin/sh -c 'journalctl --unit "$1" --lines 30 --no-pager | mail --subject "$1 failed" root' sh %i
ExecStart=/bin/sh -c 'echo "$1 failed; see: journalctl --unit $1" | systemd-cat --identifier candlehouse --priority alert' sh %i
`

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

function onCalendar(job: Job): string {
  const { minute, hour, weekdays } = timesOf(job)
  const days = weekdaysOf(weekdays).map((day) => DAYS[day])
  return `${days.join(',')} *-*-* ${hour}:${minute}:00 ${job.zone}`
}

/** A comment ends with its line, and a backslash before its end would continue it. */
function commentText(text: string): string {
  return JSON.stringify(text)
}

/** systemd expands % and, in commands, $. */
function unitText(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%')
}

function unitWord(word: string): string {
  const text = unitText(word).replaceAll('$', '$$$$')
  return /[\s"'\\;]/.test(word) ? `"${text}"` : text
}
