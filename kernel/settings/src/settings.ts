import { closed, type Infer, Type } from '@gateway/sdk'

/** Guesses at a token are counted: 16 characters cannot be guessed. */
const MIN_TOKEN = 16
/** HS256 can be attacked offline from a single session token; RFC 7518 requires as many bytes as its hash has. */
const MIN_SIGNING_SECRET = 32

/**
 * The kernel's own settings. `env` names the variable of each; the config file sets only `plugins`. The generated reference
 * docs/reference/configuration.md is built from this schema.
 */
export const settingsSchema = Type.Object(
  {
    host: Type.String({ default: '127.0.0.1', env: 'GATEWAY_HOST', description: 'Address to listen on.' }),
    port: Type.Integer({
      default: 7411,
      minimum: 0,
      maximum: 65535,
      env: 'GATEWAY_PORT',
      description: 'Port to listen on; 0 takes a free one.',
    }),
    dataDir: Type.String({
      env: 'GATEWAY_DATA_DIR',
      description: 'Absolute folder of the store, the audit trail and keys. Default: $XDG_DATA_HOME/gateway, else ~/.local/share/gateway.',
    }),
    root: Type.String({
      env: 'GATEWAY_ROOT',
      description:
        'Folder in which `gateway.config.json` and `managed-repos.json` are looked for. It is also the repo of calls that name none (the master repo): state and handoffs are written to its `.gateway/`. Default: the current folder.',
    }),
    configFile: Type.Optional(
      Type.String({ env: 'GATEWAY_CONFIG', description: 'Config file. Default: gateway.config.json in the root, if there.' }),
    ),
    newStore: Type.Boolean({
      default: false,
      env: 'GATEWAY_NEW_STORE',
      description: 'Allows one start with a new store after the old one was emptied or removed, which the start otherwise refuses.',
    }),
    mongodbUrl: Type.Optional(
      Type.String({ secret: true, env: 'MONGODB_URL', description: 'MongoDB to use instead of the embedded store.' }),
    ),
    mongodbTimeoutMs: Type.Integer({
      default: 5_000,
      minimum: 100,
      env: 'GATEWAY_MONGODB_TIMEOUT_MS',
      description:
        'Time a call waits for an unreachable MongoDB before it gets 503 with Retry-After; the timeout of an answer is three times as long.',
    }),
    loopbackTrust: Type.Optional(
      Type.Boolean({
        env: 'GATEWAY_LOOPBACK_TRUST',
        description:
          'Treats direct requests from this machine as the operator’s. Default: on, until `GATEWAY_ALLOWED_HOSTS` names a host other than the loopback.',
      }),
    ),
    localToken: Type.Optional(
      Type.String({
        minLength: MIN_TOKEN,
        env: 'GATEWAY_LOCAL_TOKEN',
        description: 'Secret that gives a remote caller the trust of a local one, as `Authorization: Bearer` or `x-gateway-local-token`.',
      }),
    ),
    localTokenFile: Type.Optional(
      Type.String({
        env: 'GATEWAY_LOCAL_TOKEN_FILE',
        description:
          'File that holds the local token. If it does not exist, `gateway start` creates it with a new token and prints the token once.',
      }),
    ),
    adminToken: Type.Optional(
      Type.String({
        minLength: MIN_TOKEN,
        env: 'ADMIN_API_TOKEN',
        description: 'Secret of the operator’s routes, sent as `X-Admin-Token`. Unset: those routes are off.',
      }),
    ),
    jwtSecret: Type.Optional(
      Type.String({
        minLength: MIN_SIGNING_SECRET,
        env: 'GATEWAY_JWT_SECRET',
        description: 'Secret of session tokens (HS256; claims `sub`, `tenantId`, `role`, `exp`). Unset: they are refused.',
      }),
    ),
    hashKey: Type.Optional(
      Type.String({
        pattern: '^[0-9a-fA-F]{64}$',
        secret: true,
        env: 'GATEWAY_HASH_KEY',
        description:
          'Key for the stored hashes of API keys and tokens, 64 hexadecimal digits; the same on every node of one database. Unset: created once, in `<data>/keys/hash.key`.',
      }),
    ),
    rotationGraceMinutes: Type.Number({
      default: 60,
      minimum: 0,
      maximum: 43_200,
      env: 'GATEWAY_ROTATION_GRACE_MINUTES',
      description: 'Grace period of a rotated key or token.',
    }),
    failedLoginLimit: Type.Integer({
      default: 20,
      minimum: 1,
      env: 'GATEWAY_FAILED_LOGIN_LIMIT',
      description:
        'Different wrong credentials that an address may send per minute before further ones must wait. A valid one always passes.',
    }),
    rbacEnforce: Type.Boolean({
      default: false,
      env: 'RBAC_ENFORCE',
      description: 'Refuses calls whose role lacks the capability. Off: logs `rbac.shadow` and allows them.',
    }),
    allowedHosts: Type.Array(Type.String(), {
      default: [],
      env: 'GATEWAY_ALLOWED_HOSTS',
      description:
        'Additional Host names to accept, comma-separated, without scheme and port. Naming one disables trust by address, unless `GATEWAY_LOOPBACK_TRUST` is set.',
    }),
    allowedOrigins: Type.Array(Type.String(), {
      default: [],
      env: 'GATEWAY_ALLOWED_ORIGINS',
      description: 'Origins of other web pages that may call, comma-separated, with their port, such as `http://localhost:3000`.',
    }),
    trustedProxies: Type.Array(Type.String(), {
      default: [],
      env: 'GATEWAY_TRUSTED_PROXIES',
      description:
        'Addresses and networks of proxies, comma-separated, whose `X-Forwarded-For` names the client: for counting wrong credentials and for the audit trail. It never makes a client local.',
    }),
    logLevel: Type.Union(
      ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'].map((level) => Type.Literal(level)),
      { default: 'info', env: 'GATEWAY_LOG_LEVEL', description: 'Minimum level that is logged.' },
    ),
    accessLog: Type.Boolean({
      default: false,
      env: 'GATEWAY_ACCESS_LOG',
      description:
        'Logs one line per request, whatever `GATEWAY_LOG_LEVEL` is: method, route, status, time, tenant and caller; no secrets.',
    }),
    bodyLimitBytes: Type.Integer({
      default: 1_048_576,
      minimum: 1024,
      env: 'GATEWAY_BODY_LIMIT_BYTES',
      description: 'Maximum size of a request body.',
    }),
    bodyLimitValues: Type.Integer({
      default: 20_000,
      minimum: 1000,
      env: 'GATEWAY_BODY_LIMIT_VALUES',
      description: 'Maximum number of names and values in a request body, together: parsing each takes time from other requests.',
    }),
    requestTimeoutMs: Type.Integer({
      default: 30_000,
      minimum: 100,
      env: 'GATEWAY_REQUEST_TIMEOUT_MS',
      description: 'Time a client has to send its request.',
    }),
    answerLimitBytes: Type.Integer({
      default: 4_194_304,
      minimum: 65_536,
      env: 'GATEWAY_ANSWER_LIMIT_BYTES',
      description: 'Maximum size of a response. Lists are truncated to fit; any other larger response is refused.',
    }),
    callTimeoutMs: Type.Integer({
      default: 120_000,
      minimum: 100,
      maximum: 86_400_000,
      env: 'GATEWAY_CALL_TIMEOUT_MS',
      description: 'Time limit of a call, unless its tool sets another; each progress report restarts it.',
    }),
    maxInFlight: Type.Integer({
      default: 2_000,
      minimum: 1,
      env: 'GATEWAY_MAX_IN_FLIGHT',
      description: 'Concurrent calls before 503 with Retry-After.',
    }),
    callsPerMinutePerKey: Type.Integer({
      default: 0,
      minimum: 0,
      env: 'GATEWAY_CALLS_PER_MINUTE_PER_KEY',
      description:
        'Calls of one key, session or user per minute before 429 with Retry-After; all of them may come at once. Each node counts separately; the operator is not counted. 0: no limit.',
    }),
    callsPerMinutePerTenant: Type.Integer({
      default: 0,
      minimum: 0,
      env: 'GATEWAY_CALLS_PER_MINUTE_PER_TENANT',
      description: 'The same for all callers of one tenant together. 0: no limit.',
    }),
    mcpPageSize: Type.Integer({
      default: 1_000,
      minimum: 1,
      env: 'GATEWAY_MCP_PAGE_SIZE',
      description: 'Page size of the lists that MCP clients get; they request the rest with a cursor.',
    }),
    metricsPort: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 65535,
        env: 'GATEWAY_METRICS_PORT',
        description: 'Port of 127.0.0.1 that also serves `/metrics`, without a credential; 0 takes a free one. Unset: no such port.',
      }),
    ),
    metricsTenants: Type.Boolean({
      default: false,
      env: 'GATEWAY_METRICS_TENANTS',
      description: 'Adds the label `tenant` in `/metrics`, which adds a series for each tenant.',
    }),
    onStartFailure: Type.Union([Type.Literal('stop'), Type.Literal('continue')], {
      default: 'stop',
      env: 'GATEWAY_ON_START_FAILURE',
      description:
        'Effect of a plugin that does not start: `stop` ends the gateway; with `continue` it runs without this plugin and those that need it.',
    }),
    startTimeoutMs: Type.Integer({
      default: 10_000,
      minimum: 100,
      env: 'GATEWAY_START_TIMEOUT_MS',
      description: 'Timeout of each plugin for its import, and for its start.',
    }),
    drainMs: Type.Integer({
      default: 0,
      minimum: 0,
      maximum: 60_000,
      env: 'GATEWAY_DRAIN_MS',
      description:
        'Time at a stop during which calls are still accepted while `/ready` is 503 already, so that a load balancer sends them elsewhere. Longer than two of its checks.',
    }),
    stopTimeoutMs: Type.Integer({
      default: 10_000,
      minimum: 100,
      env: 'GATEWAY_STOP_TIMEOUT_MS',
      description: 'Timeout for running calls to end, and for each plugin to stop.',
    }),
  },
  closed,
)

export interface Settings extends Readonly<Infer<typeof settingsSchema>> {
  /** Set explicitly, or derived from the names that others may use. */
  readonly loopbackTrust: boolean
  /** Folder of the config file: its paths begin there and its packages are installed there. */
  readonly configFolder: string
  /** `plugins` of the config file, by built-in id, package or path: `false`, `true`, or the plugin's settings. */
  readonly plugins: Readonly<Record<string, boolean | Readonly<Record<string, unknown>>>>
}
