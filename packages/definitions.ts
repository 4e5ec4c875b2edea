/** What a package is, besides what is computed from its files. Paths are relative to the root of the repository. */
export interface PackageDefinition {
  name: string
  description: string
  keywords: readonly string[]
  /** Module that `import 'NAME'` loads, without its ending: `dist/src/index` stands for `.js` and `.d.ts`. */
  entry: string
  /** Commands by name, each with its module. */
  commands: Readonly<Record<string, string>>
  /** Manual pages, which npm installs with a command. */
  manuals?: readonly string[]
  /** Modules that run as threads: no import names them. */
  threads: readonly string[]
  /** Page that becomes README.md: the guide of the package. */
  guide: string
  /** Files and folders that the program reads at run time or that its readers need, beside its modules. */
  assets: readonly string[]
}

const DOMAIN = ['brokerage', 'market-data', 'vietnam', 'stocks', 'ohlc']

/** The packages that `make packages` builds from this tree. */
export const PACKAGES: readonly PackageDefinition[] = [
  {
    name: 'candlehouse',
    description:
      'A market data warehouse for accounts at a Vietnamese brokerage: fetches every page of the API, stores it, loads DuckDB and publishes Parquet.',
    keywords: [...DOMAIN, 'data-warehouse', 'duckdb', 'parquet', 'delta-lake'],
    entry: 'dist/src/index',
    commands: { candlehouse: 'dist/src/main.js' },
    manuals: ['dist/man/candlehouse.1'],
    threads: ['dist/src/sandbox/worker.js'],
    guide: 'README.md',
    // The build's empty catalog and warehouse are copied by every new home. Licenses: of what is bundled.
    assets: [
      'sql',
      'data/reference',
      'docs',
      'examples',
      'dist/*.duckdb',
      'dist/console',
      'dist/man',
      'dist/licenses.txt',
      'CHANGELOG.md',
    ],
  },
  {
    name: 'candlehouse-client',
    description:
      'Client of a Vietnamese brokerage API: market data, accounts, orders and conditional orders.',
    keywords: [...DOMAIN, 'api-client', 'trading'],
    entry: 'dist/src/index',
    commands: {},
    threads: [],
    guide: 'docs/client.md',
    assets: [],
  },
  {
    name: 'candlehouse-sandbox',
    description:
      'A simulated brokerage service on loopback, for tests: logins, market data, accounts, orders and conditional orders.',
    keywords: [...DOMAIN, 'sandbox', 'simulator', 'testing'],
    entry: 'dist/src/sandbox/library',
    commands: { 'candlehouse-sandbox': 'dist/src/sandbox-main.js' },
    threads: [],
    guide: 'docs/sandbox.md',
    assets: ['data/reference'],
  },
]
