import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { lazyValidator } from '@gateway/validation'
import { readEnvironment, variableOf } from './environment.ts'
import { explainSetting } from './explain.ts'
import { checkProxyEntries, hasNonLoopbackHost, hostEntries, listensElsewhere, originEntries } from './names.ts'
import { type Settings, settingsSchema } from './settings.ts'

type Env = Readonly<Record<string, string | undefined>>

const checkSettings = lazyValidator(settingsSchema)

/** Faulty settings; `faults` has one sentence each, and the message has all of them. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
  readonly faults: readonly string[]
  constructor(faults: readonly string[]) {
    super(faults.join('\n'))
    this.faults = faults
  }
}

/**
 * Loads the kernel's settings from the environment and the plugins' from the config file. Strict: an unknown key or a bad value
 * stops the start. Throws one SettingsError with every fault.
 */
export function loadSettings(options: { env: Env; cwd: string }): Settings {
  const { env, cwd } = options
  const faults: string[] = []
  const values = readEnvironment(settingsSchema, env, faults)
  const root = resolve(cwd, String(values.root ?? '.'))
  if (values.root !== undefined && !existsSync(root)) faults.push(`GATEWAY_ROOT names ${root}, which does not exist.`)
  values.root = root
  values.dataDir ??= defaultDataDir(env)
  if (!isAbsolute(String(values.dataDir))) faults.push(`GATEWAY_DATA_DIR must be an absolute path; got ${JSON.stringify(values.dataDir)}.`)

  const fault = checkSettings(values)
  if (fault) {
    const { field, message } = explainSetting(fault)
    faults.push(`${variableOf(settingsSchema, field) ?? field}: ${message}`)
  }
  readNames(values, faults)
  if (exposedWithoutCredential(values)) {
    faults.push(
      `GATEWAY_HOST is ${String(values.host)}, which other machines can reach, and no credential is configured: set GATEWAY_LOCAL_TOKEN, GATEWAY_LOCAL_TOKEN_FILE, GATEWAY_JWT_SECRET or ADMIN_API_TOKEN, or listen on 127.0.0.1.`,
    )
  }
  const file = configPath(values.configFile, root, cwd)
  const plugins = readConfigFile(file, env, faults)
  if (faults.length > 0) throw new SettingsError(faults)
  return Object.freeze({ ...values, configFolder: dirname(file.path), plugins } as unknown as Settings)
}

/** Reads the allowed host names and origins; they decide, unless set, whether an address is trusted. */
function readNames(values: Record<string, unknown>, faults: string[]): void {
  const { allowedHosts = [], allowedOrigins = [], trustedProxies = [] } = values as Partial<Settings>
  values.allowedHosts = hostEntries(allowedHosts, faults)
  values.allowedOrigins = originEntries(allowedOrigins, faults)
  checkProxyEntries(trustedProxies, faults)
  values.loopbackTrust ??= !hasNonLoopbackHost(allowedHosts)
}

/** Only this machine's own callers could get in, which is surely not the purpose of binding to a network. */
function exposedWithoutCredential({ host = '127.0.0.1', ...given }: Record<string, unknown>): boolean {
  const { localToken, localTokenFile, jwtSecret, adminToken } = given
  return listensElsewhere(String(host)) && [localToken, localTokenFile, jwtSecret, adminToken].every((one) => one === undefined)
}

function defaultDataDir(env: Env): string {
  const base = env.XDG_DATA_HOME
  return base && isAbsolute(base) ? join(base, 'gateway') : join(env.HOME ?? homedir(), '.local', 'share', 'gateway')
}

function configPath(named: unknown, root: string, cwd: string): { path: string; required: boolean } {
  return named === undefined
    ? { path: join(root, 'gateway.config.json'), required: false }
    : { path: resolve(cwd, String(named)), required: true }
}

function readConfigFile(file: { path: string; required: boolean }, env: Env, faults: string[]): Settings['plugins'] {
  if (!existsSync(file.path)) {
    if (file.required) faults.push(`GATEWAY_CONFIG names ${file.path}, which does not exist.`)
    return {}
  }
  let content: unknown
  try {
    content = JSON.parse(readFileSync(file.path, 'utf8'))
  } catch (error) {
    faults.push(`${file.path} cannot be read as JSON: ${(error as Error).message}.`)
    return {}
  }
  if (!isObject(content)) {
    faults.push(`${file.path} must hold a JSON object like {"plugins": {…}}.`)
    return {}
  }
  for (const key of Object.keys(content)) {
    if (key !== 'plugins') faults.push(`${file.path}: \`${key}\` is not known; the only key is \`plugins\`.`)
  }
  const plugins = content.plugins ?? {}
  if (!isObject(plugins)) {
    faults.push(`${file.path}: \`plugins\` must be an object of plugin ids, packages and paths.`)
    return {}
  }
  for (const [id, value] of Object.entries(plugins)) {
    if (typeof value !== 'boolean' && !isObject(value)) {
      faults.push(`${file.path}: \`plugins.${id}\` must be true, false or an object of settings.`)
    }
  }
  return expand(plugins, env, file.path, faults) as Settings['plugins']
}

/** `${NAME}` in a string is replaced by an environment variable, so that the file needs no secret. */
function expand(value: unknown, env: Env, file: string, faults: string[]): unknown {
  if (typeof value === 'string') {
    return value.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (whole, name: string) => {
      const found = env[name]
      if (found === undefined) faults.push(`${file}: ${whole} names an environment variable that is not set.`)
      return found ?? whole
    })
  }
  if (Array.isArray(value)) return value.map((item) => expand(item, env, file, faults))
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, expand(item, env, file, faults)]))
  return value
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
