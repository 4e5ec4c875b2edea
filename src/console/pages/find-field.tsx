interface Props {
  /** @default Find */
  label?: string
  value: string
  addressOf(words: string): string
}

/** A field whose words are in the address: every change shows another one, and the browser's back leaves the page. */
export function FindField({ label = 'Find', value, addressOf }: Props) {
  return (
    <label class="field">
      {label}
      <input
        type="search"
        value={value}
        onInput={(event) => location.replace(addressOf(event.currentTarget.value))}
      />
    </label>
  )
}
