/** Holds a warehouse open in a process of its own until stdin ends: `node --import tsx hold.ts FILE`. */
import { systemEffects } from '../../src/effects.js'
import { openWarehouse } from '../../src/warehouse/open-warehouse.js'

const warehouse = await openWarehouse(process.argv[2] ?? '', systemEffects)
process.stdout.write('open\n')
process.stdin.resume()
process.stdin.on('end', () => {
  warehouse.close()
})
