import { counted } from 'candlehouse-foundation/number-text'
import { useRef, useState } from 'preact/hooks'
import type { DownloadProgress, PreparedDownload } from '../../download-progress.js'
import type { Tonight } from '../../tonight.js'
import { get, postForLines } from '../api.js'
import { pythonOf } from './python.js'

/** Formats of a download, with their names on the buttons. */
const FORMATS = { csv: 'CSV', xlsx: 'Excel', parquet: 'Parquet', arrow: 'Arrow' }

type Line = DownloadProgress | PreparedDownload

/** Files of the whole result, with every row and digit: the statement runs once more for them. */
export function DownloadButtons({ sql }: { sql: string }) {
  const [words, setWords] = useState('')
  const [percent, setPercent] = useState<number>()
  const [isWriting, setWriting] = useState(false)
  const stop = useRef<AbortController>(undefined)
  const download = async (format: string, name: string) => {
    stop.current = new AbortController()
    setWriting(true)
    setPercent(undefined)
    setWords(`Writing ${name}…`)
    try {
      const ready = await postForLines<Line, PreparedDownload>(
        '/api/downloads',
        { sql, format },
        (line) => {
          if ('percent' in line) setPercent(line.percent)
          if ('rows' in line) setWords(`Writing ${name}: ${counted(line.rows, 'row')}…`)
        },
        stop.current.signal,
      )
      const link = document.createElement('a')
      link.href = `/api/downloads/${ready.id}`
      link.click()
      setWords(`${counted(ready.rows, 'row')} as ${name}`)
    } catch (error) {
      setWords(stop.current.signal.aborted ? `${name} was cancelled` : (error as Error).message)
    }
    setWriting(false)
  }
  const copyPython = async () => {
    const { home } = await get<Tonight>('/api/tonight')
    await navigator.clipboard.writeText(pythonOf(sql, home))
    setWords('Python copied')
  }
  return (
    <>
      {Object.entries(FORMATS).map(([format, name]) => (
        <button key={format} type="button" disabled={isWriting} onClick={() => void download(format, name)}>
          {name}
        </button>
      ))}
      <button type="button" onClick={() => void copyPython()}>
        Copy as Python
      </button>
      {isWriting && (
        <>
          <progress
            class="narrow"
            aria-label="Progress of the download"
            max={100}
            {...(percent === undefined ? {} : { value: percent })}
          />
          <button type="button" onClick={() => stop.current?.abort()}>
            Cancel download
          </button>
        </>
      )}
      <span class="quiet" role="status">
        {words}
      </span>
    </>
  )
}
