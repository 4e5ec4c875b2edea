/** How far a download is: of its work, or in rows where the format's writer counts them. */
export type DownloadProgress = { percent: number } | { rows: number }

/** A file that the browser can fetch, once. */
export interface PreparedDownload {
  id: number
  rows: number
  bytes: number
}
