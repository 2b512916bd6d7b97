import { pathAtGateway } from './gateway-address.ts'
import { keyOf, tomlStrings } from './toml-strings.ts'

/** Variable that holds the key of the task. Only the gateway takes it. */
const OWN_KEY = 'GATEWAY_API_KEY'

/** Name of the profile that arguments of Codex choose. */
export function profileIn(args: readonly string[]): string | undefined {
  return optionsIn(args, ['--profile', '-p']).at(-1)
}

function optionsIn(args: readonly string[], names: readonly string[]): readonly string[] {
  return args.flatMap((arg, at) => {
    const [name = '', ...rest] = arg.split('=')
    if (names.includes(arg)) return args[at + 1] ?? []
    return rest.length > 0 && names.includes(name) ? [rest.join('=')] : []
  })
}

/** Settings that arguments give, in the form of a file: a value that is no TOML is a text. */
function settingsIn(args: readonly string[]): string {
  const given = optionsIn(args, ['--config', '-c']).map((setting) => {
    const at = setting.indexOf('=')
    const [key, value] = [setting.slice(0, Math.max(0, at)), setting.slice(at + 1).trim()]
    return /^["'{[]/.test(value) ? `${key}=${value}` : `${key}=${JSON.stringify(value)}`
  })
  return given.join('\n')
}

/**
 * True if Codex calls models through the gateway: by the address of its provider, or because it sends the key of the task. The texts of
 * its files come in order of precedence. A variable with the address is no longer read by Codex.
 */
export function codexCallsGateway(args: readonly string[], files: readonly string[], gatewayUrls: readonly string[]): boolean {
  const layers = [settingsIn(args), ...files].map(tomlStrings)
  const setting = (...names: readonly string[]): string | undefined => layers.map((layer) => layer.get(keyOf(...names))).find(Boolean)
  const isGateway = (address: string | undefined): boolean => gatewayUrls.some((url) => pathAtGateway(address, url) !== undefined)
  const provider = setting('model_provider') ?? 'openai'
  if (provider === 'openai') return isGateway(setting('openai_base_url'))
  return isGateway(setting('model_providers', provider, 'base_url')) || setting('model_providers', provider, 'env_key') === OWN_KEY
}
