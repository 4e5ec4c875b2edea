import { useState } from 'preact/hooks'

/** A command to type, with a button that copies it. */
export function Command({ text }: { text: string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
  }
  return (
    <div class="command">
      <code>{text}</code>
      <button type="button" class="plain" onClick={copy} aria-label={`Copy ${text}`}>
        {isCopied ? 'Copied' : 'Copy'}
      </button>
    </div>
  )
}

/** What went wrong, and what to type. Below a statement, DuckDB marks the place: that needs characters of one width. */
export function Failure({ error }: { error: Error & { hint?: string | undefined } }) {
  return (
    <div class="failure" role="alert">
      <p class={error.message.includes('\n') ? 'mono' : ''}>{error.message}</p>
      {error.hint !== undefined && <p class="quiet">{error.hint}</p>}
    </div>
  )
}
