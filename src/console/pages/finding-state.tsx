const MARKS: Record<string, string> = { break: '✕', soft: '!', pass: '✓', not_evaluable: '·' }

/** A state with its mark: never by colour alone. */
export function FindingState({ state, words }: { state: unknown; words?: string }) {
  return (
    <span class={`state ${String(state)}`}>
      <span aria-hidden="true">{MARKS[String(state)] ?? '·'}</span> {words ?? String(state).replace('_', ' ')}
    </span>
  )
}
