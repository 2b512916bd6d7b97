import type { Ref } from './ref.ts'

/**
 * Keeps a secret that is needed again, such as one to sign with, so that the store alone does not tell it: sealed under a key that
 * is derived from the gateway’s hash key, for one plugin in one tenant. With another hash key nothing that was sealed before opens.
 */
export interface Seal {
  /** What to store in place of `text`; different each time. `of` says whose it is: it opens for that alone. */
  seal(text: string, of: string): string
  /** The text; undefined when it was not sealed for this, was changed, or was sealed under another hash key. */
  open(sealed: string, of: string): string | undefined
}

/** What `defineSeal` makes; listed in `uses`. */
export type SealRef = Ref<'seal', Seal>

/** A plugin’s seal, by the plugin’s id: no other plugin can use it. */
export function defineSeal(plugin: string): SealRef {
  return { kind: 'seal', id: plugin }
}
