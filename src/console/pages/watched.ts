import { get, post } from './api.js'

/** The symbols that the user watches, from the user's file: asked for once, then as the last change left them. */
let watched: Promise<string[]> | undefined

export async function readWatched(): Promise<string[]> {
  watched ??= get<string[]>('/api/watchlist')
  try {
    return await watched
  } catch (error) {
    watched = undefined
    throw error
  }
}

export async function keepWatched(symbols: readonly string[]): Promise<string[]> {
  const kept = await post<string[]>('/api/watchlist', { symbols })
  watched = Promise.resolve(kept)
  return kept
}
