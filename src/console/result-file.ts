import { type FileHandle, open, rm } from 'node:fs/promises'

interface Block {
  /** Number of its first row. */
  readonly row: number
  readonly rows: number
  /** Where its text begins in the file. */
  readonly at: number
  readonly bytes: number
}

/** Rows of the blocks of a file, one JSON array each: a result of any length in little memory. */
export class ResultFile {
  rows = 0
  bytes = 0
  private readonly blocks: Block[] = []
  /** A block that is asked for again and again while the user scrolls. */
  private latest: { at: number; rows: unknown[][] } | undefined

  private constructor(
    private readonly path: string,
    private readonly handle: FileHandle,
  ) {}

  static async create(path: string): Promise<ResultFile> {
    return new ResultFile(path, await open(path, 'wx+', 0o600))
  }

  async append(rows: unknown[][]): Promise<void> {
    const text = Buffer.from(JSON.stringify(rows))
    await this.handle.write(text, 0, text.length, this.bytes)
    this.blocks.push({ row: this.rows, rows: rows.length, at: this.bytes, bytes: text.length })
    this.rows += rows.length
    this.bytes += text.length
  }

  /** Up to `count` rows from row `from` on. */
  async read(from: number, count: number): Promise<unknown[][]> {
    const to = Math.min(from + count, this.rows)
    const rows: unknown[][] = []
    for (
      let block = this.blockOf(from);
      from + rows.length < to && block;
      block = this.blockOf(from + rows.length)
    ) {
      const start = from + rows.length - block.row
      rows.push(...(await this.rowsOf(block)).slice(start, start + to - from - rows.length))
    }
    return rows
  }

  async remove(): Promise<void> {
    await this.handle.close().catch(() => undefined)
    await rm(this.path, { force: true })
  }

  private blockOf(row: number): Block | undefined {
    let [low, high] = [0, this.blocks.length - 1]
    while (low <= high) {
      const middle = (low + high) >> 1
      const block = this.blocks[middle]
      if (!block) return undefined
      if (row < block.row) high = middle - 1
      else if (row >= block.row + block.rows) low = middle + 1
      else return block
    }
    return undefined
  }

  private async rowsOf({ at, bytes }: Block): Promise<unknown[][]> {
    if (this.latest?.at === at) return this.latest.rows
    const { buffer } = await this.handle.read(Buffer.alloc(bytes), 0, bytes, at)
    const rows = JSON.parse(buffer.toString('utf8')) as unknown[][]
    this.latest = { at, rows }
    return rows
  }
}
