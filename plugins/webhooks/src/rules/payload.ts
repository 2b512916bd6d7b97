import { BadRequest } from '@gateway/sdk'

const FORM = /^application\/x-www-form-urlencoded\s*(?:;|$)/i

/** The JSON of a webhook: the body, or the field `payload` of a form. Throws BAD_REQUEST for a form without that field. */
export function payloadOf(body: Buffer, contentType: string | undefined): Buffer {
  if (!FORM.test(contentType ?? '')) return body
  const form = new URLSearchParams(body.toString('utf8'))
  const payload = form.get('payload')
  if (payload !== null) return Buffer.from(payload)
  const fields = [...new Set(form.keys())].slice(0, 10).join(', ')
  throw BadRequest({
    field: 'payload',
    message: `\`payload\` is required: a webhook sent as a form carries its JSON in this field; got ${fields === '' ? 'no fields' : `the fields ${fields.slice(0, 200)}`}.`,
  })
}
