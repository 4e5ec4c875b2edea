/**
 * Who may import whom: the way of the data, one way. A room may import itself, what stands in its row, and the
 * files that stand beside all rooms (effects, package, relations) and `home/`, which import nothing of them.
 */
const rooms = {
  home: [],
  duckdb: [],
  plan: [],
  land: ['plan', 'settings'],
  source: ['plan', 'land'],
  fetch: ['plan', 'land', 'source'],
  import: ['duckdb', 'plan', 'land'],
  warehouse: ['duckdb', 'plan'],
  load: ['duckdb', 'warehouse', 'land', 'plan'],
  mart: ['duckdb'],
  audit: ['duckdb', 'warehouse', 'land', 'mart'],
  lake: ['duckdb', 'mart'],
  bucket: [],
  mine: ['audit', 'duckdb', 'lake', 'mart', 'night', 'read'],
  publish: ['duckdb', 'lake', 'bucket', 'mart'],
  night: ['audit', 'plan', 'duckdb', 'lake'],
  read: ['settings', 'plan', 'night', 'duckdb', 'bucket', 'lake', 'land', 'mart'],
  settings: [],
  run: [
    'night',
    'plan',
    'source',
    'fetch',
    'import',
    'land',
    'load',
    'audit',
    'warehouse',
    'lake',
    'bucket',
    'publish',
    'mine',
    'settings',
    'duckdb',
  ],
  report: ['night', 'plan', 'read', 'lake', 'mine', 'duckdb', 'settings'],
  notify: ['night', 'settings'],
  schedule: ['run'],
  console: ['night', 'duckdb', 'mart', 'mine', 'audit', 'read', 'settings'],
  mcp: ['night', 'plan', 'read', 'report', 'lake', 'duckdb', 'mart', 'audit', 'settings'],
  doctor: ['night', 'run', 'read', 'mine', 'duckdb', 'warehouse', 'settings'],
  cli: [
    'night',
    'plan',
    'run',
    'read',
    'import',
    'schedule',
    'settings',
    'console',
    'mcp',
    'doctor',
    'report',
    'notify',
    'bucket',
    'mine',
  ],
}

/** npm packages that only one place may know, so that they can be replaced there. */
const owners = {
  '@duckdb': 'src/duckdb/',
  undici: 'packages/client/|packages/foundation/src/effects',
  'p-retry': 'packages/client/|src/bucket/',
  aws4fetch: 'src/bucket/',
  'p-limit': 'packages/client/|src/(run|publish)/',
  fastify: 'packages/sandbox/',
  '@fastify': 'packages/sandbox/',
  jose: 'packages/sandbox/',
  commander: 'src/cli/|packages/sandbox/src/command/|packages/foundation/src/command-line/',
  'cli-progress': 'src/cli/',
  pino: 'src/cli/',
  croner: 'src/schedule/',
  'smol-toml': 'src/settings/',
  'apache-arrow': 'src/read/',
  'hyparquet-writer': 'src/read/backtest/',
  yazl: 'src/read/',
  'date-fns': 'packages/foundation/src/market/',
  '@date-fns': 'packages/foundation/src/market/',
  '@modelcontextprotocol': 'src/mcp/',
  echarts: 'src/(report|console)/',
  marked: 'src/mine/',
}

/** What a package of this repository may import of the others. */
const packages = {
  'packages/foundation/': 'packages/foundation/',
  'packages/client/': 'packages/(client|foundation)/',
  // The sandbox shares no wire code with the client: each is evidence for the other.
  'packages/sandbox/': 'packages/(sandbox|foundation)/',
  // Its floors: each stands on those below it.
  'packages/sandbox/src/market/': 'packages/(sandbox/src/market|foundation)/',
  'packages/sandbox/src/broker/': 'packages/(sandbox/src/(market|broker)|foundation)/',
  // The client without its trading in one room, and the sandbox where a program begins.
  '(src|jobs)/(?!cli/|source/brokerage/)': '(src|jobs)/|packages/foundation/',
  'src/source/brokerage/': '(src|jobs)/|packages/foundation/|packages/client/src/reading.ts$',
  'src/cli/':
    '(src|jobs)/|packages/foundation/|packages/sandbox/src/(command/index|embedded|expected|index).ts$',
}

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, pathNot: 'src/(main|template|manual|worker).ts$' },
      to: {},
    },
    ...Object.entries(packages).map(([path, allowed]) => ({
      name: `${path}-imports-only-its-own-and-what-it-stands-on`,
      severity: 'error',
      from: { path: `^${path}` },
      to: { path: '^(src|jobs|packages)/', pathNot: `^(${allowed})` },
    })),
    ...Object.entries(rooms).map(([room, allowed]) => ({
      name: `${room}-imports-only-what-comes-before-it`,
      severity: 'error',
      from: { path: `^src/${room}/` },
      to: { path: '^src/[a-z]+/', pathNot: `^src/(${['home', room, ...allowed].join('|')})/` },
    })),
    {
      name: 'what-stands-beside-all-rooms-imports-none',
      severity: 'error',
      from: {
        path: '^src/((effects|package|relations)\\.ts$|home/)',
      },
      to: { path: '^src/[a-z]+/', pathNot: '^src/home/' },
    },
    {
      name: 'only-the-library-entry-trades',
      severity: 'error',
      from: { pathNot: '^packages/client/src/(index\\.ts$|(trading|signing)/)' },
      to: { path: '^packages/client/src/(trading|signing)/' },
    },
    {
      name: 'only-cli-and-jobs-know-jobs',
      severity: 'error',
      from: { pathNot: '^(src/cli|jobs)/' },
      to: { path: '^jobs/' },
    },
    ...Object.entries(owners).map(([name, places]) => ({
      name: `only-its-owner-knows-${name.replace(/\W/g, '')}`,
      severity: 'error',
      from: { pathNot: `^(${places})` },
      to: { path: `node_modules/${name}(/|$)` },
    })),
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
  },
}
