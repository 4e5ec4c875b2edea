#!/usr/bin/env node
import { keepCompiledCode } from './compile-cache.js'

// First of all: what is imported before it is compiled again at every start.
keepCompiledCode()
await import('./process.js')
