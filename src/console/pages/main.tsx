import { type ComponentType, render } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { OwnPage } from '../../mine/own-pages/own-page.js'
import { get, noAnswer } from './api.js'
import { NoSuch } from './no-such.js'
import { NotLoaded } from './not-loaded.js'

interface Page {
  name: string
  title: string
  /** Reached from other pages only. */
  isHidden?: true
  load(): Promise<ComponentType<{ words: readonly string[] }>>
}

/** Loaded when they are opened: the first paint waits for one page only. */
const PAGES: readonly Page[] = [
  { name: 'tonight', title: 'Tonight', load: async () => (await import('./tonight.js')).TonightPage },
  { name: 'chart', title: 'Chart', load: async () => (await import('./chart/page.js')).ChartPage },
  {
    name: 'watchlist',
    title: 'Watchlist',
    load: async () => (await import('./watchlist.js')).WatchlistPage,
  },
  {
    name: 'screener',
    title: 'Screener',
    load: async () => (await import('./screener/page.js')).ScreenerPage,
  },
  { name: 'coverage', title: 'Coverage', load: async () => (await import('./coverage.js')).CoveragePage },
  { name: 'findings', title: 'Findings', load: async () => (await import('./findings.js')).FindingsPage },
  {
    name: 'accounts',
    title: 'Accounts',
    load: async () => (await import('./accounts/page.js')).AccountsPage,
  },
  { name: 'sql', title: 'SQL', load: async () => (await import('./sql/page.js')).SqlPage },
  {
    name: 'dictionary',
    title: 'Dictionary',
    load: async () => (await import('./dictionary.js')).DictionaryPage,
  },
  {
    name: 'page',
    title: 'Page',
    isHidden: true,
    load: async () => (await import('./own-page.js')).OwnPageView,
  },
  { name: 'trace', title: 'Trace', isHidden: true, load: async () => (await import('./trace.js')).TracePage },
]

const loaded = new Map<string, ComponentType<{ words: readonly string[] }>>()

/** The words of the address after `#/`: a page, then what it shows; a statement also as `?q=`. */
function wordsOfAddress(): string[] {
  const [, path = '', query = ''] = /^#?\/?([^?]*)\??(.*)$/s.exec(location.hash) ?? []
  const words = path.split('/').map((word) => {
    try {
      return decodeURIComponent(word)
    } catch {
      return word
    }
  })
  return [...words, ...new URLSearchParams(query).getAll('q')]
}

function useAddress(): string[] {
  const [words, setWords] = useState(wordsOfAddress())
  useEffect(() => {
    const read = () => setWords(wordsOfAddress())
    addEventListener('hashchange', read)
    // The address may have changed after the first drawing and before this.
    read()
    return () => removeEventListener('hashchange', read)
  }, [])
  return words
}

/** The user's own pages. Without an answer there are none to lead to; the page that is shown says why. */
function useOwnPages(): readonly OwnPage[] {
  const [pages, setPages] = useState<readonly OwnPage[]>([])
  useEffect(() => {
    get<{ pages: OwnPage[] }>('/api/pages').then((answer) => setPages(answer.pages), ignore)
  }, [])
  return pages
}

function ignore(): void {}

function Console() {
  const [name, ...words] = useAddress()
  const named = PAGES.find((candidate) => candidate.name === name)
  const page = named ?? PAGES[0]
  const ownPages = useOwnPages()
  const [, setShown] = useState('')
  const [error, setError] = useState<Error>()
  const main = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!page) return
    document.title = `${page.title} · candlehouse`
    setError(undefined)
    page.load().then(
      (component) => {
        loaded.set(page.name, component)
        setShown(page.name)
      },
      // The browser's words name a file of the program.
      () => setError(noAnswer()),
    )
  }, [page])
  const Shown = page && loaded.get(page.name)
  const skip = (event: Event) => {
    event.preventDefault()
    main.current?.focus()
  }
  return (
    <div class="shell">
      <a class="skip" href="#main" onClick={skip}>
        Skip to the page
      </a>
      <header>
        <a class="brand" href="#/tonight">
          <svg viewBox="0 0 16 16" width="20" height="20" aria-hidden="true">
            <path d="M5 1v14M11 3v11" stroke="currentColor" opacity=".5" />
            <path class="up" d="M3 4h4v8H3z" />
            <path class="down" d="M9 6h4v5H9z" />
          </svg>
          candlehouse
        </a>
        <nav aria-label="Pages">
          {PAGES.filter(({ isHidden }) => !isHidden).map((each) => (
            <a key={each.name} href={`#/${each.name}`} aria-current={each === page ? 'page' : undefined}>
              {each.title}
            </a>
          ))}
          {ownPages.map((each) => (
            <a
              key={each.name}
              class="own"
              href={`#/page/${each.name}`}
              aria-current={name === 'page' && words[0] === each.name ? 'page' : undefined}
            >
              {each.title}
            </a>
          ))}
        </nav>
      </header>
      <main ref={main} tabIndex={-1} id="main">
        {name && !named && <NoSuch what="page" name={name} shown="tonight" />}
        {/* Another statement in the address is another editor. */}
        {Shown ? (
          <Shown key={page.name === 'sql' || page.name === 'page' ? words[0] : page.name} words={words} />
        ) : (
          <NotLoaded title={page?.title ?? ''} error={error} />
        )}
      </main>
      <footer>
        Times are exchange time (UTC+7). Reads only, on this machine only. Charts by{' '}
        <a href="https://www.tradingview.com/" rel="noreferrer" target="_blank">
          TradingView Lightweight Charts™
        </a>
        , copyright (c) TradingView, Inc.
      </footer>
    </div>
  )
}

const app = document.getElementById('app')
if (app) render(<Console />, app)
