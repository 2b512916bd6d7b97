const LOOPBACK = /^http:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/

/** Returns the issuer, or undefined while OAuth is off: the gateway has no public address that is https, or a loopback. */
export const issuerOf = ({ publicUrl }: { readonly publicUrl?: string | undefined }): string | undefined =>
  publicUrl !== undefined && (publicUrl.startsWith('https://') || LOOPBACK.test(publicUrl)) ? publicUrl : undefined

/** The addresses of MCP. Each is a view of the one resource `<issuer>/mcp`. */
const VIEW = /^\/(?:mcp(?:\/core|\/t\/[A-Za-z0-9,._-]{1,200})?|core\/mcp|sse)$/

export const isView = (path: string): boolean => VIEW.test(path)

/** Path of the resource that a challenge points to: the view that was called, `/mcp` for REST. */
export function resourcePath(path: string): string {
  const plain = path.replace(/(?<=.)\/$/, '')
  return isView(plain) ? plain : '/mcp'
}

/** True if a client's `resource` names this gateway: its address, or one of its views (RFC 8707). */
export function isOwnResource(resource: string, issuer: string): boolean {
  if (!URL.canParse(resource)) return false
  const { origin, pathname, search, hash, username, password } = new URL(resource)
  if (origin !== new URL(issuer).origin || search !== '' || hash !== '' || username !== '' || password !== '') return false
  const path = pathname.replace(/\/$/, '')
  return path === '' || isView(path)
}
