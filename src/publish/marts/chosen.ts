import type { Database } from '../../duckdb/open.js'
import type { Manifest } from '../../lake/manifest.js'
import { type LakeMart, lakeMarts } from '../../relations.js'
import { type DescribedRelation, describedRelations, isLive, type LakeFile } from '../lake-tables.js'
import { describeMarts, writtenDefinitions } from './described.js'

/** The views that are published as tables, those that were and no longer are, and those that were not yet. */
export interface ChosenMarts {
  readonly chosen: readonly LakeMart[]
  readonly retired: readonly LakeMart[]
  readonly added: ReadonlySet<string>
  /** Definitions of the tables as they were last written, by name. */
  readonly written: Readonly<Record<string, string>>
}

/** @param recorded files of the ledger */
export async function chosenMarts(
  warehouse: Database,
  chosen: readonly LakeMart[],
  former: Manifest | undefined,
  recorded: readonly LakeFile[],
): Promise<ChosenMarts> {
  const published = new Set(former?.relations.map(({ name }) => name))
  const begun = new Set([...published, ...recorded.filter(isLive).map(({ relation }) => relation)])
  const retired = lakeMarts.filter((mart) => begun.has(mart.name) && !chosen.includes(mart))
  return {
    chosen,
    retired,
    added: new Set(chosen.map(({ name }) => name).filter((name) => !begun.has(name))),
    written: chosen.length + retired.length > 0 ? await writtenDefinitions(warehouse) : {},
  }
}

/** Every relation, and every table that follows from a view. */
export async function describeTables(
  warehouse: Database,
  { chosen, retired, written }: ChosenMarts,
  former: Manifest | undefined,
): Promise<DescribedRelation[]> {
  const described = await describedRelations(warehouse)
  return [...described, ...(await describeMarts([...chosen, ...retired], described, { written, former }))]
}
