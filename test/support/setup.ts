import { afterAll, afterEach } from 'vitest'
import { endFile, endTest } from './cleanup.js'

// This process has it by now (vitest.config.ts); a browser or a program that a test starts is as users start it.
if (process.env.LD_PRELOAD?.includes('jemalloc')) delete process.env.LD_PRELOAD

afterEach(endTest)
afterAll(endFile)
