import { provePage } from 'candlehouse-foundation/json/page'
import type { PageRecord } from '../land/journal.js'
import { type PageProblem, readPageText } from './page-text.js'

/** A landed page with facts that are proven from its text. */
export interface ProvenPage extends PageRecord {
  readonly plain: boolean
  /** Why the page cannot be read. */
  readonly problem?: PageProblem
}

/**
 * The proven facts of a page: from its journal line if it was proven before it was landed, else from its text. Older versions
 * landed pages after reading only their first and last record.
 */
export function provenPage(home: string, page: PageRecord): ProvenPage {
  const { plain } = page
  if (plain !== undefined) return { ...page, plain }
  const proven = readPageText(home, page, (text) => provePage(text))
  if ('problem' in proven) return { ...page, ...proven, rows: 0, plain: false }
  const { envelope, list } = proven
  return {
    ...page,
    rows: list?.rows ?? 0,
    fields: list?.fields ?? null,
    shape: envelope === undefined ? 'array' : 'data',
    plain: list?.plain ?? false,
  }
}
