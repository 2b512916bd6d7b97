import { readFile } from 'node:fs/promises'
import { definePublicFiles, type PublicFile, type PublicFiles } from '@gateway/sdk'

/** The viewer loads its own files, calls its own gateway, and has its drawings inside its style sheet. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')
const HEADERS = {
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
}
const NOT_BUILT =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Gateway API</title><h1>The viewer is not built</h1><p>Run <code>npm run build</code>, or read <a href="/api/docs/plain">the reference without it</a>.'

/** The page of the API’s viewer, as the build left it in `folder`; its script and style are assets of the dashboard. */
export function referenceFiles(folder: URL): PublicFiles {
  const open = async (): Promise<PublicFile> => {
    const body = await readFile(new URL('reference.html', folder)).catch(() => Buffer.from(NOT_BUILT))
    return { type: 'text/html; charset=utf-8', body, immutable: false, headers: HEADERS }
  }
  return definePublicFiles({ id: 'dashboard.reference', paths: ['/api/docs'], replacesDefault: true, open })
}
