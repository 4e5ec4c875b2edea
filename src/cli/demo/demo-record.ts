import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from 'candlehouse-foundation/errors'
import type { Effects } from '../../effects.js'
import { writeWholeFile } from '../../home/files.js'
import type { Story } from './story.js'

/** How far a demo home is made: `demo.json` in the home, which no other home has. */
export interface DemoRecord {
  /** The story of this home. Another story cannot continue it. */
  readonly story: Story
  /** Runs that have ended. */
  readonly runs: number
}

const NAME = 'demo.json'

/**
 * How far the home is made; undefined where it does not exist, or is empty.
 *
 * @throws UsageError for a folder with anything that this demo did not make
 */
export function readDemoRecord(home: string, story: Story): DemoRecord | undefined {
  const file = join(home, NAME)
  if (!existsSync(file)) {
    if (!existsSync(home) || readdirSync(home).length === 0) return undefined
    throw new UsageError(`${home} has data that is not of the demo: it stays as it is`, {
      hint: 'candlehouse demo --home FOLDER, with a folder that does not exist yet',
    })
  }
  const record = parsed(readFileSync(file, 'utf8'))
  if (record && JSON.stringify(record.story) === JSON.stringify(story)) return record
  throw new UsageError(`${home} has the demo of another version of candlehouse`, {
    hint: `remove the folder, or candlehouse demo --home FOLDER`,
  })
}

function parsed(text: string): DemoRecord | undefined {
  try {
    return JSON.parse(text) as DemoRecord
  } catch {
    return undefined
  }
}

export async function writeDemoRecord(home: string, record: DemoRecord, { disk }: Effects): Promise<void> {
  const text = `${JSON.stringify(record, null, 2)}\n`
  await writeWholeFile(join(home, NAME), text, { mode: 0o644, hint: 'free some space' }, disk)
}
