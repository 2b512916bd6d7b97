import type { Ref } from './ref.ts'

/**
 * Protects a secret that is needed again, such as a signing key, so that the store alone does not reveal it. It is sealed under
 * a key derived from the gateway's hash key, for one plugin in one tenant. With another hash key nothing sealed before can be
 * opened.
 */
export interface Seal {
  /** Returns the sealed form to store; different each time. `of` names the owner, and the text opens for that owner only. */
  seal(text: string, of: string): string
  /** Returns the text; undefined if it was sealed for another owner, was changed, or was sealed under another hash key. */
  open(sealed: string, of: string): string | undefined
}

/** Returned by `defineSeal`; list it in `uses`. */
export type SealRef = Ref<'seal', Seal>

/** A plugin's seal, by the plugin's id: no other plugin can use it. */
export function defineSeal(plugin: string): SealRef {
  return { kind: 'seal', id: plugin }
}
