/**
 * Who may import whom: the way of the data, one way. A room may import itself, what stands in its row, and the
 * files that stand beside all rooms (errors, effects, secrets, package, relations, whole-file, system-fault, home, visible), which import nothing of them.
 */
const rooms = {
  market: [],
  duckdb: [],
  json: [],
  brokerage: ['json', 'market'],
  sandbox: ['market'],
  plan: ['market'],
  land: ['plan'],
  fetch: ['brokerage', 'plan', 'land', 'market'],
  import: ['duckdb', 'json', 'plan', 'land', 'market'],
  warehouse: ['duckdb', 'plan', 'market'],
  load: ['duckdb', 'json', 'warehouse', 'land', 'plan', 'market'],
  mart: ['duckdb', 'market'],
  audit: ['duckdb', 'warehouse', 'land', 'mart', 'market'],
  lake: ['duckdb', 'mart', 'market'],
  publish: ['duckdb', 'lake', 'mart', 'market'],
  read: ['duckdb', 'json', 'lake', 'land', 'mart', 'market'],
  settings: [],
  run: [
    'brokerage',
    'sandbox',
    'plan',
    'fetch',
    'import',
    'land',
    'load',
    'audit',
    'warehouse',
    'lake',
    'publish',
    'settings',
    'duckdb',
    'market',
  ],
  report: ['read', 'run', 'lake', 'duckdb', 'market', 'settings'],
  notify: ['run', 'settings'],
  schedule: ['run', 'market'],
  console: ['duckdb', 'mart', 'audit', 'read', 'market', 'settings'],
  doctor: ['run', 'read', 'duckdb', 'settings', 'market'],
  cli: [
    'run',
    'read',
    'import',
    'schedule',
    'sandbox',
    'settings',
    'market',
    'console',
    'doctor',
    'report',
    'notify',
  ],
}

/** Packages that only one room may know, so that they can be replaced there. */
const owners = {
  '@duckdb': 'duckdb',
  undici: 'brokerage',
  'p-retry': 'brokerage',
  'p-limit': '(run|brokerage)',
  fastify: 'sandbox',
  '@fastify': 'sandbox',
  jose: 'sandbox',
  commander: 'cli',
  'cli-progress': 'cli',
  pino: 'cli',
  croner: 'schedule',
  'smol-toml': 'settings',
  'apache-arrow': 'read',
  yazl: 'read',
  echarts: '(report|console)',
}

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, pathNot: 'src/(main|template|manual|sandbox/worker)\\.ts$' },
      to: {},
    },
    {
      name: 'sandbox-and-client-share-no-wire-code',
      severity: 'error',
      from: { path: '^src/sandbox' },
      to: { path: '^src/brokerage' },
    },
    ...Object.entries(rooms).map(([room, allowed]) => ({
      name: `${room}-imports-only-what-comes-before-it`,
      severity: 'error',
      from: { path: `^src/${room}/` },
      to: { path: '^src/[a-z]+/', pathNot: `^src/(${[room, ...allowed].join('|')})/` },
    })),
    {
      name: 'what-stands-beside-all-rooms-imports-none',
      severity: 'error',
      from: {
        path: '^src/(errors|effects|secrets|package|relations|whole-file|system-fault|home|visible)\\.ts$',
      },
      to: { path: '^src/[a-z]+/' },
    },
    {
      name: 'only-the-library-entry-trades',
      severity: 'error',
      from: { pathNot: '^src/(index\\.ts$|brokerage/(trading|signing)/)' },
      to: { path: '^src/brokerage/(trading|signing)/' },
    },
    {
      name: 'only-cli-and-jobs-know-jobs',
      severity: 'error',
      from: { pathNot: '^(src/cli|jobs)/' },
      to: { path: '^jobs/' },
    },
    ...Object.entries(owners).map(([name, room]) => ({
      name: `only-${room}-knows-${name.replace(/\W/g, '')}`,
      severity: 'error',
      from: { pathNot: `^src/${room}/` },
      to: { path: `node_modules/${name}(/|$)` },
    })),
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
  },
}
