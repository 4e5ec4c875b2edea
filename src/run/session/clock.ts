import { WrongClockError } from 'candlehouse-foundation/errors'
import { addDays, type Day, dayOf } from 'candlehouse-foundation/market/day'

/**
 * A service whose clock stands before the year of this program has a wrong clock, or is a sandbox of a past day: it says nothing
 * about the clock of this machine.
 */
const EARLIEST_SERVICE_TIME = Date.parse('2026-01-01T00:00:00Z')

/** A trading date further back was named by a person: it does not follow from the clock. */
const DAYS_OF_THE_CLOCK = 14

const HOUR_MS = 3_600_000

/**
 * Compares the clock of the machine with the service's, at every response: a run with a wrong clock would file what is "as of
 * now", the accounts above all, under a day of the future or of the past, where no later run corrects it.
 *
 * @param tradingDate of the run; where it does not follow from the clock, nothing is compared
 * @param hours by which they may differ; 0: they are not compared
 * @returns throws WrongClockError, which names both clocks
 */
export function clockCheck(
  tradingDate: Day,
  hours: number,
): ((serviceTime: number, ownTime: number) => void) | undefined {
  if (hours === 0) return undefined
  return (serviceTime, ownTime) => {
    if (serviceTime < EARLIEST_SERVICE_TIME || tradingDate < addDays(dayOf(ownTime), -DAYS_OF_THE_CLOCK))
      return
    const apart = Math.abs(serviceTime - ownTime)
    if (apart <= hours * HOUR_MS) return
    throw new WrongClockError(
      `the clock of this machine says ${shown(ownTime)}, that of the service ${shown(serviceTime)}: they are ${span(apart)} apart. Nothing was stored`,
      serviceTime,
      {
        hint: `set the clock (timedatectl set-ntp true), then run the same command again. If the service is wrong: CANDLEHOUSE_CLOCK_HOURS=0 compares no clocks`,
      },
    )
  }
}

function shown(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

function span(apart: number): string {
  const hours = Math.round(apart / HOUR_MS)
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`
}
