import { pathAtGateway } from './gateway-address.ts'

type Env = Readonly<Record<string, string>>

/** Variables of the SDKs of models: the address, and the keys that are sent there. */
const SDKS = [
  { address: 'ANTHROPIC_BASE_URL', keys: ['ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_API_KEY'] },
  { address: 'OPENAI_BASE_URL', keys: ['OPENAI_API_KEY'] },
] as const

export interface RunAccess {
  /** Address of the gateway, as the runner knows it. */
  readonly gatewayUrl: string
  /** Key of the runner, if it is in its environment. */
  readonly runnerKey: string | undefined
  /** Address and key that the agent has for its task; absent if the gateway issued no key. */
  readonly own: { readonly url: string; readonly apiKey: string } | undefined
}

/** True if a variable that the agent sees has the SDKs call models through the gateway. */
export const namesGateway = (visible: Env, gatewayUrl: string): boolean =>
  SDKS.some(({ address }) => pathAtGateway(visible[address], gatewayUrl) !== undefined)

/**
 * Returns the variables that change for an agent that calls models through the gateway: it does so at the address and with the key of
 * its task. No variable keeps the key of the runner.
 */
export function modelEnv(visible: Env, { gatewayUrl, runnerKey, own }: RunAccess): Env {
  if (own === undefined) return {}
  const changed: Record<string, string> = {}
  for (const [name, value] of Object.entries(visible)) if (value !== '' && value === runnerKey) changed[name] = own.apiKey
  for (const { address, keys } of SDKS) {
    const path = pathAtGateway(visible[address], gatewayUrl)
    if (path === undefined) continue
    changed[address] = `${own.url}${path}`
    const given = keys.filter((name) => visible[name] !== undefined)
    for (const name of given.length === 0 ? keys.slice(0, 1) : given) changed[name] = own.apiKey
  }
  return changed
}
