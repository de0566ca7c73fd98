/**
 * The layer table of the README, as a rule per folder: what each may import from this repository.
 * Packages are restricted by oxlint (.oxlintrc.json), which also speaks up in the editor.
 */
const layer = (folder, allowed, comment) => ({
  name: `layer-${folder.replaceAll('/', '-')}`,
  severity: 'error',
  comment,
  from: { path: `^${folder}/` },
  to: {
    path: '^(cli|db|domain|handlers|runtime|test|web|workers)/',
    pathNot: `^(${[folder, ...allowed].join('|')})`,
  },
})

const PORTS = 'runtime/ports/'
const SCHEMA = ['db/schema/', 'db/client\\.ts', 'db/search-index\\.ts']

export default {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    layer('runtime/ports', SCHEMA, 'A port is plain data and one interface.'),
    layer('db', [], 'The schema stands alone.'),
    layer('domain', [PORTS, ...SCHEMA], 'A verb takes ports and plain data.'),
    layer('handlers', ['domain/', PORTS], 'A handler is schemas and one call to a verb.'),
    layer('workers', ['domain/', PORTS], 'A worker is a loop around a domain tick.'),
    layer('runtime/memory', [PORTS], 'In-memory adapters know only their port.'),
    layer(
      'runtime/sidecar',
      [PORTS, 'domain/identity\\.ts'],
      'The protocol between the halves knows only ports.',
    ),
    layer(
      'runtime/node',
      [
        PORTS,
        'runtime/memory/',
        'db/',
        'domain/mime/',
        'domain/outbound/',
        'domain/sources/keeping\\.ts',
        'domain/(identity|mask)\\.ts',
      ],
      'Node adapters implement ports.',
    ),
    layer('web', ['handlers/api\\.ts'], 'The web client knows the API by its type.'),
    {
      name: 'layer-cli',
      severity: 'error',
      comment: 'Only cli/commands/local works on the store; everything else talks HTTP.',
      from: { path: '^cli/', pathNot: '^cli/commands/local/' },
      to: {
        path: '^(db|domain|handlers|runtime|test|web|workers)/',
        pathNot: '^(handlers/api\\.ts|domain/identity\\.ts|domain/webhooks/signature\\.ts)',
      },
    },
    {
      name: 'layer-cli-local',
      severity: 'error',
      comment: 'Local commands call verbs over the runtime that an entry builds.',
      from: { path: '^cli/commands/local/' },
      to: {
        path: '^(db|handlers|runtime|test|web|workers)/',
        pathNot: `^(runtime/entries/|${PORTS})`,
      },
    },
    {
      name: 'portable-stays-portable',
      severity: 'error',
      comment: 'Handlers also run at the edge, where no Node adapter exists.',
      from: { path: '^handlers/api\\.ts$' },
      to: {
        path: '^(runtime/node/|node_modules/(imapflow|nodemailer|hash-wasm|pino|@hono/node-server))',
        reachable: true,
      },
    },
    {
      name: 'smtp-library-has-its-folder',
      severity: 'error',
      comment: 'What SMTP and MIME building are has one place; only the demo makes mail by itself.',
      from: { pathNot: '^(runtime/node/smtp|cli/commands/local/demo|test)/' },
      to: { path: 'node_modules/nodemailer' },
    },
    {
      name: 'no-tests-in-product',
      severity: 'error',
      from: { pathNot: '^test/' },
      to: { path: '^test/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|data|web/dist|test/contract/generated-clients)/' },
    parser: 'swc',
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'default'],
      extensions: ['.ts', '.js'],
    },
  },
}
