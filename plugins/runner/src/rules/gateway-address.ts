const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/**
 * Returns the path of an address below the gateway, such as `/v1`, or `undefined` for an address elsewhere. The names of
 * the loopback are the same host.
 */
export function pathAtGateway(address: string | undefined, gatewayUrl: string): string | undefined {
  if (address === undefined || !URL.canParse(address)) return undefined
  const [asked, gateway] = [new URL(address), new URL(gatewayUrl)]
  const base = gateway.pathname.replace(/\/$/, '')
  if (originOf(asked) !== originOf(gateway) || !`${asked.pathname}/`.startsWith(`${base}/`)) return undefined
  return asked.pathname.slice(base.length).replace(/\/$/, '')
}

const originOf = ({ protocol, hostname, port }: URL): string =>
  `${protocol}//${LOOPBACK.test(hostname) ? 'loopback' : hostname}:${port || (protocol === 'https:' ? 443 : 80)}`
