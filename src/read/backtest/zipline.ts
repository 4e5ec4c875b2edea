import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type EngineWriter, FileNames, writeTextLines } from './engine-writer.js'
import type { DayBar } from './market-history.js'

/** The most that zipline's store of daily bars holds: prices are 32-bit numbers of thousandths. */
const [MOST_PRICE, MOST_VOLUME] = [4_294_967, 4_294_967_295]

/**
 * The folder of zipline's bundle `csvdir`: a file of raw prices for each symbol, whose column `split` holds what a share became
 * at a corporate action, cash dividends included, as if they were reinvested on the ex-date: `data.history` then has the returns
 * of `mart.daily_adjusted`. The column `dividend` is 0: the bundle knows no pay date, and a dividend without one adjusts
 * prices but is never paid. `extension.py` registers the bundle and the sessions of this market, `index/` has benchmarks.
 *
 * @source zipline-reloaded 3.2.1, zipline/data/bundles/csvdir.py, zipline/data/bcolz_daily_bars.py
 */
export const zipline: EngineWriter = {
  // Its store of minutes has no break at noon.
  timeframes: ['1d'],
  async write(history, folder, _timeframe, onSymbol) {
    const names = new FileNames()
    const tooLarge: string[] = []
    const sessions = history.sessions.map(({ session }) => session)
    await history.bySymbol('days', async (symbol, rows) => {
      onSymbol()
      if (names.of(symbol) === undefined) return
      if (rows.some(isTooLarge)) tooLarge.push(symbol)
      else await writeTextLines(join(folder, 'daily', `${symbol}.csv`), dayLines(sessions, rows))
    })
    await history.bySymbol('index_days', async (code, rows) => {
      const closes = rows.map(({ session, close }) => `${session},${close}`)
      await writeTextLines(join(folder, 'index', `${code}.csv`), ['date,close', ...closes])
    })
    await writeTextLines(join(folder, 'sessions.csv'), ['date', ...sessions])
    await writeFile(join(folder, 'extension.py'), EXTENSION)
    return [
      ...names.skipped(),
      ...(tooLarge.length > 0
        ? [{ why: `a price above ${MOST_PRICE} VND or a volume above ${MOST_VOLUME}`, symbols: tooLarge }]
        : []),
    ]
  },
}

const isTooLarge = ({ high, volume }: DayBar): boolean =>
  (high ?? 0) > MOST_PRICE || (volume ?? 0) > MOST_VOLUME

/** A row for every session from the first to the last of a symbol: zipline takes no gaps, and reads a price of 0 as none. */
function dayLines(sessions: readonly string[], rows: readonly DayBar[]): string[] {
  const stored = new Map(rows.map((row) => [row.session, row]))
  const [first = '', last = ''] = [rows[0]?.session, rows.at(-1)?.session]
  const lines = sessions
    .filter((session) => session >= first && session <= last)
    .map((session) => {
      const { open, high, low, close, volume, event_factor = 1 } = stored.get(session) ?? {}
      const values = [open ?? 0, high ?? 0, low ?? 0, close ?? 0, close ? (volume ?? 0) : 0]
      return [session, ...values, 0, 1 / event_factor].join(',')
    })
  return ['date,open,high,low,close,volume,dividend,split', ...lines]
}

/** Hours from the pre-open on to the end of put-through trading; the morning and the afternoon are one session. */
const EXTENSION = `"""Registers the bundle "candlehouse" and the calendar of this market with zipline.

Copy it to ~/.zipline/extension.py, or pass it: zipline -e FOLDER/extension.py ingest -b candlehouse
CANDLEHOUSE_ZIPLINE names the folder where it is not the one of this file.
"""
import csv
import datetime
import os
import zoneinfo

import pandas
from exchange_calendars import ExchangeCalendar, register_calendar_alias, register_calendar_type
from zipline.data.bundles import bundles, register
from zipline.data.bundles.csvdir import csvdir_equities

# zipline executes the text of an extension, which then has no __file__.
HERE = os.path.dirname(os.path.abspath((lambda: None).__code__.co_filename))
FOLDER = os.environ.get("CANDLEHOUSE_ZIPLINE", HERE)

with open(os.path.join(FOLDER, "sessions.csv"), newline="") as file:
    SESSIONS = pandas.DatetimeIndex([row["date"] for row in csv.DictReader(file)])


class VietnamCalendar(ExchangeCalendar):
    """The sessions of the export; zipline's weeks have no Saturday."""

    name = "XSTC"
    tz = zoneinfo.ZoneInfo("Asia/Ho_Chi_Minh")
    open_times = ((None, datetime.time(9, 0)),)
    close_times = ((None, datetime.time(15, 0)),)

    @classmethod
    def default_start(cls):
        # zipline asks for the midnight before the first session too.
        return SESSIONS[0] - pandas.Timedelta(days=7)

    @classmethod
    def default_end(cls):
        return SESSIONS[-1]

    @property
    def adhoc_holidays(self):
        return list(pandas.bdate_range(SESSIONS[0], SESSIONS[-1]).difference(SESSIONS))


register_calendar_type("XSTC", VietnamCalendar, force=True)
# The bundle calls its exchange so, and zipline takes it for New York.
register_calendar_alias("CSVDIR", "XSTC", force=True)

if "candlehouse" not in bundles:
    register(
        "candlehouse",
        csvdir_equities(["daily"], FOLDER),
        calendar_name="XSTC",
        start_session=SESSIONS[0],
        end_session=SESSIONS[-1],
    )
`
