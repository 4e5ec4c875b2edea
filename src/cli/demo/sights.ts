import { shellWord } from 'candlehouse-foundation/command-line/shell-word'
import type { CommandLine } from '../../night/conclusion.js'
import { SPLIT, type Story, TROUBLED } from './story.js'

/** Something worth a look in a demo home. */
export interface Sight {
  readonly what: string
  /** Of the console, after its address. */
  readonly page: string
  readonly command: CommandLine
}

/** @param home as the user's shell takes it: every command names it */
export function sightsOf({ troubled, nights }: Story, home: string): Sight[] {
  const last = nights.at(-1) ?? ''
  const at = `--home ${shellWord(home)}`
  const sql = (statement: string): CommandLine => `candlehouse sql ${at} "${statement}"`
  return [
    {
      what: `The last night, ${last}: many stocks closed at their limits`,
      page: '#/tonight',
      command: `candlehouse report ${at}`,
    },
    {
      what: `The night of ${troubled}: the service refused ${TROUBLED.unanswered} and answered a wrong high of ${TROUBLED.wrong}; repaired next morning`,
      page: `#/findings/1`,
      command: sql('from market.revision'),
    },
    {
      what: `${SPLIT.symbol}'s split, ${SPLIT.ratio} for 1 on ${SPLIT.day}: raw and adjusted`,
      page: `#/chart/${SPLIT.symbol}/1d`,
      command: sql(
        `select trading_date, close, close_adjusted from mart.daily_adjusted where symbol = '${SPLIT.symbol}' order by 1`,
      ),
    },
    {
      what: 'Three accounts: what they returned, and the shares and dividends that reached them',
      page: '#/accounts',
      command: sql('from mart.account_return order by account_no, trading_date'),
    },
    {
      what: 'The margin account, a call on one night',
      page: '#/accounts',
      command: sql('from mart.account_margin order by trading_date'),
    },
    {
      what: 'Whether every share and every VND is explained',
      page: '#/findings',
      command: `candlehouse reconcile --explain ${at}`,
    },
  ]
}
