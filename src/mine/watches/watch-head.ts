import { headOf } from '../view-head.js'

/** What the head of a watch states. */
export interface WatchHead {
  readonly title: string
  /** Columns that say which row it is; undefined: all of them. */
  readonly key: readonly string[] | undefined
}

const KEY = /^--[ \t]*key:[ \t]*(.*)\n?/m

/** The first comment, up to an empty line, is the title; a line `-- key: symbol, trading_date` names the key. */
export function watchHeadOf(text: string, name: string): WatchHead {
  const [line, stated] = KEY.exec(text) ?? []
  const { comment } = headOf(line === undefined ? text : text.replace(line, () => ''), [])
  return {
    title: comment === '' ? name : comment,
    key: stated
      ?.split(',')
      .map((column) => column.trim())
      .filter((column) => column !== ''),
  }
}
