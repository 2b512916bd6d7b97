import { Unavailable } from '@gateway/sdk'

const EVERYWHERE = new Set(['0.0.0.0', '::'])

/** Returns the address of a tenant's remote, without a credential. Throws UNAVAILABLE if it cannot be determined. */
export function remoteUrl(tenantId: string, publicUrl: string | undefined, { host, port }: { host: string; port: number }): string {
  if (publicUrl === undefined && port === 0)
    throw Unavailable({
      message: 'The public address of this gateway is unknown: set GATEWAY_PUBLIC_URL, or plugins.brain-hosting.publicUrl.',
      setting: 'GATEWAY_PUBLIC_URL',
    })
  const name = EVERYWHERE.has(host) ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return `${publicUrl ?? `http://${name}:${port}`}/git/${encodeURIComponent(tenantId)}/brain.git`
}
