/** Writes the peak memory of a Node process, in bytes, to the file of BENCH_PEAK: `node --import`. */
import { writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

if (isMainThread)
  process.once('exit', () => {
    writeFileSync(process.env.BENCH_PEAK ?? '', String(process.resourceUsage().maxRSS * 1024))
  })
