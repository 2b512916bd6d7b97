import { readdir, readFile } from 'node:fs/promises'
import { definePublicFiles, type PublicFile, type PublicFiles } from '@gateway/sdk'

const ASSETS = '/dashboard-assets/'
const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
}
/**
 * Allows only its own files and its own gateway. No text becomes markup or script: there is not even a policy that could create
 * trusted HTML.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')
const PAGE_HEADERS = {
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
}
const NOT_BUILT =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Gateway</title><h1>The dashboard is not built</h1><p>Run <code>npm run build</code>, then load this page again. The API is described at <a href="/api/docs">/api/docs</a>.'

/** The shell and its assets, as the build left them in `folder`; each is read at the first request and then cached. */
export function clientFiles(folder: URL): readonly PublicFiles[] {
  const kept = new Map<string, Promise<PublicFile | undefined>>()
  const once = (name: string, read: () => Promise<PublicFile | undefined>): Promise<PublicFile | undefined> => {
    const known = kept.get(name)
    if (known) return known
    const reading = read()
    kept.set(name, reading)
    // A file that could not be read may exist the next time.
    reading.then(
      (file) => file ?? kept.delete(name),
      () => kept.delete(name),
    )
    return reading
  }
  /** Only listed files are ever opened, whatever the path says. */
  const open = async (name: string): Promise<PublicFile | undefined> => {
    const type = TYPES[name.split('.').at(-1) ?? '']
    const names = await readdir(folder).catch((): string[] => [])
    if (type === undefined || !names.includes(name)) return undefined
    const [body, br, gzip] = await Promise.all(['', '.br', '.gz'].map((ending) => readFile(new URL(`${name}${ending}`, folder))))
    return { type, body: body as Buffer, br: br as Buffer, gzip: gzip as Buffer, immutable: true, headers: PAGE_HEADERS }
  }
  const shell = async (): Promise<PublicFile> => {
    const body = await readFile(new URL('index.html', folder)).catch(() => Buffer.from(NOT_BUILT))
    return { type: 'text/html; charset=utf-8', body, immutable: false, headers: PAGE_HEADERS }
  }
  return [
    // Not cached: it is small, and names the assets of the last build.
    definePublicFiles({ id: 'dashboard.shell', paths: ['/', '/dashboard', '/dashboard/*'], htmlOnly: true, open: shell }),
    definePublicFiles({
      id: 'dashboard.assets',
      paths: [`${ASSETS}*`],
      open: (path) => {
        const name = path.slice(ASSETS.length)
        return /^[\w-]{1,60}\.\w{1,8}$/.test(name) ? once(name, () => open(name)) : Promise.resolve(undefined)
      },
    }),
  ]
}
