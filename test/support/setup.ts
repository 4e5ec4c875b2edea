import { afterAll, afterEach } from 'vitest'
import { endFile, endTest } from './cleanup.js'

afterEach(endTest)
afterAll(endFile)
