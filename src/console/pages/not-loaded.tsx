import { Failure } from './command.js'

/** A page whose data are on their way, or did not come: its heading stands in every state. */
export function NotLoaded({ title, error }: { title: string; error: Error | undefined }) {
  return (
    <>
      <h1>{title}</h1>
      {error ? <Failure error={error} /> : <p class="quiet">Loading…</p>}
    </>
  )
}
