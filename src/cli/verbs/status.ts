import type { Command } from 'commander'
import { backfill } from '../../../jobs/backfill.js'
import { keepalive } from '../../../jobs/keepalive.js'
import { nightly } from '../../../jobs/nightly.js'
import { keysOf, namesKeys } from '../../settings/index.js'
import { keyViews, renderKeys } from '../render/key-status.js'
import { renderCalendar, renderHashes, renderStatus } from '../render/status.js'
import type { NewVerb } from '../verb.js'

export function statusVerb(verb: NewVerb): Command {
  return verb(
    'status',
    'Show coverage, freshness, gaps, what expires next, the last and next runs, the session',
  )
    .option('--hashes', 'also print one hash per relation; equal hashes mean equal tables')
    .reads(async (call, options: { hashes?: true }) => {
      const { readStatus } = await import('../../read/status.js')
      const { readCalendarStatus } = await import('../../settings/calendar-status.js')
      const { viewSession } = await import('../../run/session/view.js')
      const { jobStatus } = await import('../../schedule/next.js')
      const status = await readStatus(call.settings.home, call.effects)
      const nextRuns = [nightly, backfill, keepalive].map((job) => jobStatus(job, call.effects.now()))
      const sessions = keysOf(call.settings).map((key) => ({
        name: key.keyName,
        session: viewSession(key) ?? null,
      }))
      // Of a home with several keys: the first one's.
      const session = sessions[0]?.session ?? null
      const keys = keyViews(sessions, status.keys)
      const calendar = readCalendarStatus(call.settings.home, call.effects)
      const hashes = options.hashes
        ? await (await import('../../read/hash.js')).tableHashes(call.settings.home)
        : undefined
      await call.answer(
        { ...status, keys, calendar, session, nextRuns, ...(hashes ? { hashes } : {}) },
        (width) =>
          [
            renderStatus(
              status,
              namesKeys(call.settings) || call.settings.baseUrl === undefined ? undefined : session,
              nextRuns,
              width,
            ),
            ...(namesKeys(call.settings) || keys.length > 1 ? [renderKeys(keys)] : []),
            ...renderCalendar(calendar),
            ...(hashes ? [renderHashes(hashes)] : []),
          ].join('\n\n'),
      )
    })
}
