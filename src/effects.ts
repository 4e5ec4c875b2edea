import { type Effects as Outside, systemEffects as outside } from 'candlehouse-foundation/effects'
import { type Disk, systemDisk } from './home/disk.js'

export { type Log, type Network, silentLog } from 'candlehouse-foundation/effects'

/** What makes two runs of the warehouse differ. */
export interface Effects extends Outside {
  /** What must survive a kill is written through it. */
  disk: Disk
}

export const systemEffects: Effects = { ...outside, disk: systemDisk }
