import { useId, useState } from 'preact/hooks'
import type { Row } from '../api.js'
import { matchingSymbols, pickedSymbol } from './symbol-search.js'

interface Props {
  label: string
  value: string
  symbols: readonly Row[]
  /** The field has the focus: the symbols are needed. */
  onFocus(): void
  onPick(symbol: string): void
}

/** A field that finds a symbol by its letters or its name: arrows choose, Enter takes, Escape closes. */
export function SymbolBox({ label, value, symbols, onFocus, onPick }: Props) {
  const id = useId()
  const [text, setText] = useState<string>()
  const [active, setActive] = useState(0)
  const matches = text === undefined ? [] : matchingSymbols(symbols, text)
  const pick = (symbol: string) => {
    setText(undefined)
    onPick(symbol)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      const step = event.key === 'ArrowDown' ? 1 : -1
      setText(text ?? '')
      setActive(Math.max(0, Math.min(matches.length - 1, active + step)))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      pick(text === undefined ? value : pickedSymbol(matches[active], text))
    } else if (event.key === 'Escape') setText(undefined)
  }
  return (
    <div class="symbol-box">
      <label for={`${id}-field`}>{label}</label>
      <input
        id={`${id}-field`}
        type="text"
        role="combobox"
        autocomplete="off"
        spellcheck={false}
        aria-expanded={matches.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={matches.length > 0 ? `${id}-${active}` : undefined}
        value={text ?? value}
        onInput={(event) => {
          setText(event.currentTarget.value)
          setActive(0)
        }}
        onFocus={(event) => {
          event.currentTarget.select()
          onFocus()
        }}
        onBlur={() => setText(undefined)}
        onKeyDown={onKeyDown}
      />
      <ul id={`${id}-list`} role="listbox" aria-label={`${label}: matches`} hidden={matches.length === 0}>
        {matches.map(({ symbol, name, board }, index) => (
          <li
            key={String(symbol)}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => pick(String(symbol))}
          >
            <strong>{String(symbol)}</strong>{' '}
            <span class="quiet">{[board, name].filter(Boolean).join(' · ')}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
