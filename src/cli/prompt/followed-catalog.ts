import { shownInstant } from 'candlehouse-foundation/market/day'
import type { RelationNames } from '../../read/alias-columns.js'
import { readNames, readSuggestions } from '../../read/completion-names.js'
import { catalogStamp, LiveCatalog } from '../../read/live-catalog.js'
import { asking, latestPublication } from '../../read/query.js'
import { completionsOf } from './completion.js'

/** The catalog that a prompt reads, and its names: of the latest publication. */
export class FollowedCatalog extends LiveCatalog {
  /** The catalog that the names are of. */
  private stamp = ''
  private names: RelationNames[] = []

  constructor(private readonly folder: string) {
    super(folder)
  }

  /** Says which publication statements read, at the beginning and whenever a night has replaced the catalog. */
  async follow(say: (words: string) => void): Promise<void> {
    const stamp = catalogStamp(this.folder)
    if (stamp === this.stamp) return
    const latest = await this.use(async (reader) => {
      this.names = await readNames(reader)
      return await latestPublication(asking(reader))
    })
    this.stamp = stamp
    if (latest) say(`publication ${latest.id} of ${shownInstant(latest.publishedAt)}`)
  }

  /** Words that continue the text, and the part of it that they replace. */
  async complete(text: string): Promise<[string[], string]> {
    const suggestions = await this.use((reader) => readSuggestions(reader, text))
    return completionsOf(text, this.names, suggestions)
  }
}
