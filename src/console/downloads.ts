import { createReadStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Effects } from '../effects.js'
import { FORMAT_NAMES, type Format } from '../read/export/formats.js'
import type { DownloadProgress, PreparedDownload } from './download-progress.js'
import { Refusal } from './response.js'

/** Rows from one report of the progress to the next. */
const ROWS_BETWEEN = 20_000

/** Files of results that the browser fetches once each, written by the code of `candlehouse export`. */
export class Downloads {
  private readonly ready = new Map<number, Format>()
  private next = 1

  constructor(
    private readonly home: string,
    private readonly folder: string,
    private readonly effects: Effects,
  ) {}

  /** Writes the whole result of a statement. @throws UsageError for bad SQL */
  async prepare(
    sql: string,
    format: string,
    signal: AbortSignal,
    onProgress: (progress: DownloadProgress) => void,
  ): Promise<PreparedDownload> {
    const known = FORMAT_NAMES.find((name) => name === format)
    if (!known) throw new Refusal(400, `${format} is not a format`, `use one of ${FORMAT_NAMES.join(', ')}`)
    const id = this.next++
    // Loaded only here: Arrow's library is large.
    const { exportRows } = await import('../read/export/export.js')
    const request = {
      source: { query: sql },
      format: known,
      profile: 'exact',
      out: this.path(id, known),
    } as const
    let [written, reported] = [0, 0]
    const progress = {
      file() {},
      note() {},
      percent: (percent: number) => onProgress({ percent: Math.round(percent) }),
      rows: (rows: number) => {
        written += rows
        if (written - reported < ROWS_BETWEEN) return
        reported = written
        onProgress({ rows: written })
      },
      signal,
    }
    const { rows, files } = await exportRows(this.home, request, progress, this.effects)
    this.ready.set(id, known)
    return { id, rows, bytes: files[0]?.bytes ?? 0 }
  }

  /** Sends a prepared file, then removes it. */
  async send(id: number, response: ServerResponse): Promise<void> {
    const format = this.ready.get(id)
    if (!format) throw new Refusal(404, 'this download is no longer stored', 'prepare it again')
    this.ready.delete(id)
    const path = this.path(id, format)
    const { size } = await stat(path)
    response.writeHead(200, {
      'cache-control': 'no-store',
      'content-disposition': `attachment; filename="result.${format}"`,
      'content-length': size,
      'content-type': 'application/octet-stream',
      'x-content-type-options': 'nosniff',
    })
    await pipeline(createReadStream(path), response)
    for (const file of [path, `${path}.manifest.json`]) await rm(file, { force: true })
  }

  private path(id: number, format: Format): string {
    return join(this.folder, `result-${id}.${format}`)
  }
}
