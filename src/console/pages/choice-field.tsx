interface Props {
  label: string
  /** Empty: all. */
  value: string
  choices: readonly string[]
  /** @default the choice with blanks */
  wordsOf?: (choice: string) => string
  onChoice(choice: string): void
}

/** A filter that is one of some words, or none. */
export function ChoiceField({ label, value, choices, wordsOf = spaced, onChoice }: Props) {
  return (
    <label class="field">
      {label}
      <select value={value} onChange={(event) => onChoice(event.currentTarget.value)}>
        <option value="">all</option>
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {wordsOf(choice)}
          </option>
        ))}
      </select>
    </label>
  )
}

function spaced(choice: string): string {
  return choice.replaceAll('_', ' ')
}
