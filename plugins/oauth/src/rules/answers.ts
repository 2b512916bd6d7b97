import type { PublicAnswer } from '@gateway/sdk'
import type { OAuthRefusal } from './refusal.ts'

const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }

export const json = (status: number, body: object, headers: Readonly<Record<string, string>> = {}): PublicAnswer => ({
  status,
  headers: { ...JSON_HEADERS, ...headers },
  body: JSON.stringify(body),
})

export const refused = ({ error, message, status, retryAfterSeconds: seconds }: OAuthRefusal): PublicAnswer =>
  json(
    status,
    { error, error_description: message },
    {
      ...(status === 401 && { 'www-authenticate': 'Basic realm="gateway"' }),
      ...(seconds !== undefined && { 'retry-after': String(seconds) }),
    },
  )
