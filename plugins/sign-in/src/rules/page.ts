import type { PublicAnswer } from '@gateway/sdk'

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

export function faultPage(status: number, message: string, back: string, cookies: readonly string[]): PublicAnswer {
  const body = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Not signed in · Gateway</title>
<link rel="stylesheet" href="/oauth/page.css">
<main><h1>You are not signed in</h1><p role="alert">${escaped(message)}</p><p><a href="${escaped(back)}">Try again</a></p></main>
</html>
`
  return { status, headers: { ...HEADERS, 'set-cookie': cookies }, body }
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] as string)

const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }

export const json = (status: number, body: object, cookies: readonly string[] = []): PublicAnswer => ({
  status,
  headers: { ...JSON_HEADERS, ...(cookies.length > 0 && { 'set-cookie': cookies }) },
  body: JSON.stringify(body),
})

export const redirect = (location: string, cookies: readonly string[]): PublicAnswer => ({
  status: 303,
  headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'set-cookie': cookies },
  body: '',
})
