import type { Row } from '../api.js'
import { ChoiceField } from '../choice-field.js'
import { NUMBER_COLUMNS, type NumberColumn, unitWords, WORD_COLUMNS } from './number-columns.js'
import { type Bounds, choicesOf, type Screen, screenAddress } from './screen.js'

interface Props {
  rows: readonly Row[]
  screen: Screen
}

/** Filters of a screen: every change is another address. */
export function ScreenFilters({ rows, screen }: Props) {
  const show = (change: Partial<Screen>) => {
    location.hash = screenAddress({ ...screen, page: 1, ...change })
  }
  const without = (name: string) =>
    Object.fromEntries(Object.entries(screen.bounds).filter(([other]) => other !== name))
  const bounded = NUMBER_COLUMNS.filter(({ name }) => screen.bounds[name])
  return (
    <div class="toolbar">
      {WORD_COLUMNS.map((name) => (
        <ChoiceField
          key={name}
          label={name}
          value={screen.words[name] ?? ''}
          choices={choicesOf(rows, name)}
          wordsOf={String}
          onChoice={(word) => show({ words: wordsWith(screen, name, word) })}
        />
      ))}
      {bounded.map((column) => (
        <BoundFields
          key={column.name}
          column={column}
          bounds={screen.bounds[column.name] ?? {}}
          onChange={(bounds) => show({ bounds: { ...screen.bounds, [column.name]: bounds } })}
          onRemove={() => show({ bounds: without(column.name) })}
        />
      ))}
      <label class="field">
        add a filter
        <select
          value=""
          onChange={(event) => show({ bounds: { ...screen.bounds, [event.currentTarget.value]: {} } })}
        >
          <option value="">number…</option>
          {NUMBER_COLUMNS.filter(({ name }) => !screen.bounds[name]).map(({ name, title }) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        session
        <input
          type="date"
          value={screen.session}
          onChange={(event) => show({ session: event.currentTarget.value })}
        />
      </label>
    </div>
  )
}

function wordsWith({ words }: Screen, name: string, word: string): Record<string, string> {
  const others = Object.fromEntries(Object.entries(words).filter(([other]) => other !== name))
  return word === '' ? others : { ...others, [name]: word }
}

interface BoundProps {
  column: NumberColumn
  bounds: Bounds
  onChange(bounds: Bounds): void
  onRemove(): void
}

function BoundFields({ column, bounds, onChange, onRemove }: BoundProps) {
  const { title } = column
  const field = (name: keyof Bounds, words: string) => (
    <input
      type="number"
      step="any"
      aria-label={`${title}: ${words}`}
      placeholder={words}
      value={bounds[name] ?? ''}
      onChange={(event) => {
        const { [name]: _, ...other } = bounds
        const { valueAsNumber } = event.currentTarget
        onChange(Number.isNaN(valueAsNumber) ? other : { ...other, [name]: valueAsNumber })
      }}
    />
  )
  return (
    <fieldset class="bounds">
      <legend>
        {title} {unitWords(column)}
      </legend>
      {field('least', 'at least')}
      {field('most', 'at most')}
      <button type="button" class="plain" aria-label={`Remove the filter ${title}`} onClick={onRemove}>
        ✕
      </button>
    </fieldset>
  )
}
