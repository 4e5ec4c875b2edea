import type { Sight } from '../demo/sights.js'
import { seconds } from '../progress.js'
import type { ConsoleAddress } from '../serve-console.js'

/** What a demo home has, and what to look at. */
export interface MadeDemo {
  readonly home: string
  /** First and last session. */
  readonly from: string
  readonly to: string
  readonly sessions: number
  readonly nights: number
  /** Runs that were needed; 0 where the home was whole. */
  readonly runs: number
  readonly sights: readonly Sight[]
  /** Null with --no-console. */
  readonly console: ConsoleAddress | null
}

/** @param took milliseconds */
export function renderDemo(
  { home, from, to, sessions, nights, runs, sights, console }: MadeDemo,
  took: number,
): string {
  const origin = runs === 0 ? 'was made before' : `made in ${seconds(took)}`
  return [
    `${home}: ${sessions} sessions from ${from} to ${to}, and three accounts on the last ${nights} of them; ${origin}`,
    '',
    'What to look at',
    ...sights.flatMap(({ what, page, command }) => [
      `  ${what}`,
      ...(console ? [`    ${page.slice(2)} in the console`] : []),
      `    ${command}`,
    ]),
    '',
    console ? `Console: open ${console.url}` : `candlehouse console --home ${home}`,
  ].join('\n')
}
