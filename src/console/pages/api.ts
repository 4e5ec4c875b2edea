import type { ViewName } from '../views.js'

/** The console's server said no, and what to type. */
export class ApiError extends Error {
  constructor(
    message: string,
    readonly hint: string | undefined,
  ) {
    super(message)
  }
}

export interface Column {
  name: string
  type: string
}

export interface Table {
  columns: Column[]
  rows: unknown[][]
}

/** A row by the names of its columns; values are exact, as in `candlehouse sql --json`. */
export type Row = Record<string, unknown>

export async function get<T>(path: string, parameters: Record<string, string> = {}): Promise<T> {
  const query = new URLSearchParams(parameters).toString()
  return await read<T>(await reach(query ? `${path}?${query}` : path))
}

/** @param signal ends the request: a statement that runs for it is stopped */
export async function post<T>(path: string, body: unknown = {}, signal?: AbortSignal): Promise<T> {
  const headers = { 'content-type': 'application/json' }
  const request = { method: 'POST', headers, body: JSON.stringify(body), ...(signal ? { signal } : {}) }
  return await read<T>(await reach(path, request))
}

/**
 * As `post`, for an answer of several lines, each of which goes to `onLine`.
 *
 * @returns the last line
 */
export async function postForLines<Line, Last extends Line>(
  path: string,
  body: unknown,
  onLine: (line: Line) => void,
  signal: AbortSignal,
): Promise<Last> {
  const headers = { 'content-type': 'application/json' }
  const response = await reach(path, { method: 'POST', headers, body: JSON.stringify(body), signal })
  if (!response.ok || !response.body) return await read<Last>(response)
  let waiting = ''
  let last = {} as Last & Refused
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    const lines = (waiting + piece.value).split('\n')
    waiting = lines.pop() ?? ''
    for (const line of lines) {
      last = JSON.parse(line) as Last & Refused
      onLine(last)
    }
  }
  if (last.error !== undefined) throw new ApiError(last.error, last.hint)
  return last
}

interface Refused {
  error?: string
  hint?: string
}

/**
 * An answer of the console, also one that refuses.
 *
 * @throws ApiError where nobody answers: browsers say only "Failed to fetch"
 */
export async function reach(path: string, request: RequestInit = {}): Promise<Response> {
  try {
    return await fetch(path, request)
  } catch {
    throw noAnswer()
  }
}

export function noAnswer(): ApiError {
  return new ApiError(
    'the console does not answer: it has ended',
    'start it again: candlehouse console; then open the address that it prints',
  )
}

/** Rows of a statement that the server has for the pages. */
export async function view(name: ViewName, parameters: Record<string, string> = {}): Promise<Row[]> {
  return namedRows(await get<Table>(`/api/views/${name}`, parameters))
}

export function namedRows({ columns, rows }: Table): Row[] {
  return rows.map((row) => Object.fromEntries(columns.map((column, index) => [column.name, row[index]])))
}

export async function read<T>(response: Response): Promise<T> {
  const value = (await response.json()) as T & Refused
  if (!response.ok) throw new ApiError(value.error ?? `status ${response.status}`, value.hint)
  return value
}
