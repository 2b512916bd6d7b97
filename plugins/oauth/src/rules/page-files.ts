import type { PublicAnswer } from '@gateway/sdk'
import { html } from './page-html.ts'
import { script } from './page-script.ts'
import { style } from './page-style.ts'

/**
 * Headers of the consent page. It runs only its own script, and no other page may frame it, so that it cannot be placed under a
 * person's click. Its form is submitted only by that script.
 */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
}

interface PageFile {
  readonly type: string
  readonly body: string
}
const page: PageFile = { type: 'text/html; charset=utf-8', body: html }

/** Files of the consent page, by path. They are the same for everyone: data comes with the caller's own credential. */
export const PAGE_FILES: Readonly<Record<string, PageFile>> = {
  '/oauth/authorize': page,
  '/oauth/device': page,
  '/oauth/page.js': { type: 'text/javascript; charset=utf-8', body: script },
  '/oauth/page.css': { type: 'text/css; charset=utf-8', body: style },
}

export function pageFile(path: string): PublicAnswer | undefined {
  const file = Object.hasOwn(PAGE_FILES, path) ? PAGE_FILES[path] : undefined
  return file && { status: 200, headers: { ...HEADERS, 'content-type': file.type }, body: file.body }
}
