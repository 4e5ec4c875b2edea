// What was asked, in order, and how it was answered.

export interface RequestLog {
  /** 1 for the first request of this stand-in. */
  at: number
  method: string
  path: string
  query: Record<string, string>
  headers: Record<string, string>
  body: string
  /** API key of the body or of the session; absent where neither is known. */
  key?: string
  /** 0 until answered, and for ever when the request was left hanging. */
  status: number
  /** Kind of the fault that answered it. */
  fault?: string
}

export const matches = (
  request: RequestLog,
  pathSuffix: string,
  where: Record<string, string> = {},
): boolean =>
  request.path.endsWith(pathSuffix) &&
  Object.entries(where).every(([name, value]) => request.query[name] === value)
