/** A name that several places of one package have with one meaning, and why they share it. */
export interface SameName {
  readonly places: readonly string[]
  readonly reason: string
}

/** Folders with a file for each verb, for each section of the report, or for each page: their files share names by design. */
export const SUBJECT_FOLDERS: readonly string[] = [
  'cli/verbs',
  'cli/render',
  'run/verbs',
  'report/model',
  'report/sections',
  'console/pages',
]

export const SAME_FOLDERS: Readonly<Record<string, SameName>> = {
  accounts: {
    places: ['console/pages/accounts', 'run/accounts'],
    reason: 'the accounts of a key: a page about them, and what a run reads of them',
  },
  bucket: {
    places: ['bucket', 'publish/bucket'],
    reason: 'object storage: how it is reached, and how the lake gets into it',
  },
  verbs: { places: ['cli/verbs', 'run/verbs'], reason: 'a verb: its command line, and its run' },
}

const SAME_FILES_OF_SRC: Readonly<Record<string, SameName>> = {
  bucket: {
    places: ['bucket/bucket.ts', 'run/lifecycle/bucket.ts'],
    reason: 'the bucket, and the one of the settings during a run',
  },
  completion: {
    places: ['cli/prompt/completion.ts', 'console/pages/sql/completion.ts'],
    reason: 'words that continue a statement, on a terminal and in the console',
  },
  findings: {
    places: ['night/findings.ts', 'run/checks/findings.ts'],
    reason: 'stored results of rules, of a night and of a run',
  },
  home: { places: ['doctor/home.ts', 'home/home.ts'], reason: 'the home, and its check by doctor' },
  nearest: {
    places: ['duckdb/nearest.ts', 'read/trace/nearest.ts'],
    reason: 'the known name that is nearest to a typed one',
  },
  page: {
    places: [
      'console/pages/accounts/page.tsx',
      'console/pages/chart/page.tsx',
      'console/pages/screener/page.tsx',
      'console/pages/sql/page.tsx',
    ],
    reason: 'the page of the console that the folder is named for',
  },
  progress: {
    places: ['cli/progress.ts', 'night/progress.ts'],
    reason: 'how far a run is: on the terminal, and in its file',
  },
  raw: { places: ['doctor/raw.ts', 'read/raw.ts'], reason: 'the landed pages of raw/' },
  readers: {
    places: ['run/lifecycle/readers.ts', 'settings/readers.ts'],
    reason: 'the setting who may read what is published, and its effect',
  },
  service: {
    places: ['doctor/service.ts', 'run/session/service.ts'],
    reason: 'the service of the glossary, checked by doctor and used by a run',
  },
  symbols: {
    places: ['publish/marts/symbols.ts', 'report/sections/market/symbols.ts'],
    reason: 'symbols of securities',
  },
  walk: {
    places: ['fetch/walk.ts', 'land/walk.ts', 'source/brokerage/walk.ts'],
    reason: 'the page walk of the glossary: it is fetched, landed, and requested from the client',
  },
  write: {
    places: ['read/arrow/write.ts', 'read/xlsx/write.ts', 'report/write.ts', 'settings/write.ts'],
    reason: 'writes the file that the folder is about',
  },
}

export const SAME_FILES: Readonly<Record<string, Readonly<Record<string, SameName>>>> = {
  src: SAME_FILES_OF_SRC,
  'packages/sandbox/src': {
    indexes: {
      places: ['market/world/indexes.ts', 'service/routes/indexes.ts'],
      reason: 'indexes of the market, and the route that answers with them',
    },
    'request-log': {
      places: ['command/request-log.ts', 'service/http/request-log.ts'],
      reason: 'the log of requests: its lines, and the file that gets them',
    },
  },
}

const IN_THE_BROWSER = 'the same words: the console bundles its own, without what the other file imports'

export const SAME_FUNCTIONS: Readonly<Record<string, Readonly<Record<string, SameName>>>> = {
  src: {
    duration: { places: ['console/pages/words.ts', 'report/figures.ts'], reason: IN_THE_BROWSER },
  },
}

/** Words that are one word, although both of their halves are words of file names too. */
export const ONE_WORD: readonly string[] = ['openmetrics', 'rulebook', 'timeline', 'watchlist']
