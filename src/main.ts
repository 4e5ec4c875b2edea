#!/usr/bin/env node
import { keepCompiledCode } from './cli/compile-cache.js'
import { optimiseLater } from './cli/optimise-later.js'

// First of all: what is imported before it is compiled again at every start.
keepCompiledCode()
optimiseLater()
await import('./cli/process.js')
