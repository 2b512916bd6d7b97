import { cutText } from '@gateway/sdk'
import type { Rejection } from '../errors.ts'
import { KINDS, type Manifest } from '../schema.ts'
import { sha256 } from './content-key.ts'

/** Returns `undefined` when the value is right, otherwise the expectation. */
type Expect = (value: unknown) => string | undefined

const text =
  (max: number): Expect =>
  (value) =>
    typeof value === 'string' && value.trim() !== '' && value.length <= max ? undefined : `a text of 1 to ${max} characters`
const matching =
  (pattern: RegExp, says: string): Expect =>
  (value) =>
    typeof value === 'string' && pattern.test(value) ? undefined : says
const optional =
  (expect: Expect): Expect =>
  (value) =>
    value === undefined ? undefined : expect(value)
const MAX_TOOLS = 200

/** Rules for each field of a manifest. A later check examines the version more closely. */
const FIELDS: { readonly [Field in keyof Required<Manifest>]: Expect } = {
  slug: matching(/^[a-z0-9][a-z0-9-]{0,99}$/, 'a-z, 0-9 and hyphens, at most 100, not beginning with a hyphen'),
  kind: (value) => (KINDS.includes(value as 'agent') ? undefined : `one of ${KINDS.join(', ')}`),
  version: text(32),
  title: text(200),
  description: text(500),
  category: optional(text(100)),
  tools: (value) =>
    Array.isArray(value) && value.length <= MAX_TOOLS && value.every((name) => text(200)(name) === undefined)
      ? undefined
      : `a list of at most ${MAX_TOOLS} names of tools`,
  entry: optional(text(200)),
  price: optional((value) =>
    typeof value === 'number' && Number.isFinite(value) && value >= 0 ? undefined : 'a number of dollars from 0',
  ),
  manifestHash: matching(/^[0-9a-f]{64}$/, 'the SHA-256 of artifactContent in lower-case hex'),
}

/** Makes the first check: every field is valid, there are no others, and the hash is that of the artifact. */
export function schemaFault(manifest: Readonly<Record<string, unknown>>, artifactContent: string): Rejection | undefined {
  const unknown = Object.keys(manifest).find((field) => !Object.hasOwn(FIELDS, field))
  if (unknown !== undefined) {
    return fault(
      cutText(unknown, 100),
      `a manifest has no field ${JSON.stringify(cutText(unknown, 100))}, only ${Object.keys(FIELDS).join(', ')}.`,
    )
  }
  for (const [field, expect] of Object.entries(FIELDS)) {
    const expected = expect(manifest[field])
    if (expected !== undefined) return fault(field, `\`${field}\` must be ${expected}; got ${shown(manifest[field])}.`)
  }
  const hash = sha256(artifactContent)
  if (hash === manifest.manifestHash) return undefined
  return fault('manifestHash', `\`manifestHash\` must be the SHA-256 of artifactContent, ${hash}; got ${shown(manifest.manifestHash)}.`)
}

const fault = (field: string, reason: string): Rejection => ({ check: 'schema', field, reason })
const shown = (value: unknown): string => (value === undefined ? 'nothing' : cutText(JSON.stringify(value), 200))
