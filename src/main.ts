#!/usr/bin/env node
import { keepCompiledCode } from './cli/compile-cache.js'

// First of all: what is imported before it is compiled again at every start.
keepCompiledCode()
await import('./cli/process.js')
