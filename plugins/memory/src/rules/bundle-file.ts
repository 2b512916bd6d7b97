import { cutText } from '@gateway/sdk'
import type { BundleFile } from './bundle.ts'

const MAX_PATH = 1_000
const MAX_SHOWN = 100

/** Checks one entry of a bundle by itself. A fault names the field, what is expected, and what came. */
export function fileOfBundle(given: unknown): { readonly file: BundleFile } | { readonly path?: string; readonly reason: string } {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return { reason: `expected {path, content}; got ${kindOf(given)}` }
  const { path, content } = given as { readonly path?: unknown; readonly content?: unknown }
  if (typeof path !== 'string') return { reason: `path must be a string; got ${kindOf(path)}` }
  const shown = cutText(path, MAX_SHOWN)
  if (path === '' || path.length > MAX_PATH)
    return { path: shown, reason: `path must have 1 to ${MAX_PATH} characters; got ${path.length}` }
  if (typeof content !== 'string') return { path: shown, reason: `content must be a string; got ${kindOf(content)}` }
  return { file: { path, content } }
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  return Array.isArray(value) ? 'a list' : `a value of type ${typeof value}`
}
