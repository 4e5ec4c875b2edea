import module from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { packageRoot } from '../package.js'

/** The part of `node:module` that Node has since 22.8. */
interface CompileCache {
  enableCompileCache?(folder: string): { status: number }
  constants?: { compileCacheStatus?: { FAILED: number } }
}

/**
 * Lets Node keep the compiled code of the modules that are loaded from now on: beside them, or, where that folder is
 * not writable, in the user's own cache. Never in the folder for temporary files: others can write there, and what
 * they write would run. It is a matter of speed alone: without it, or without a writable folder, nothing fails.
 */
export function keepCompiledCode(): void {
  const { enableCompileCache, constants } = module as object as CompileCache
  if (!enableCompileCache) return
  const { status } = enableCompileCache(join(packageRoot, 'dist', 'compiled'))
  const cache = status === constants?.compileCacheStatus?.FAILED ? userCache() : undefined
  if (cache !== undefined) enableCompileCache(cache)
}

/** Undefined for a user without a home, as in some containers. */
function userCache(): string | undefined {
  try {
    return join(homedir(), '.cache', 'candlehouse', 'compiled')
  } catch {
    return undefined
  }
}
