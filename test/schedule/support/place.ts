import { join } from 'node:path'
import type { Place } from '../../../src/schedule/place.js'

/** A place whose paths need every kind of escape. */
export function placeIn(folder: string): Place {
  return {
    node: process.execPath,
    main: join(folder, 'candle house', 'dist', 'main.js'),
    folder,
    home: join(folder, "the 100% $home's"),
    user: 'desk',
  }
}
