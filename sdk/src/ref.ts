/**
 * A typed token. Everything a tool may touch is named by a ref and listed in its `uses`; the kernel resolves it for the
 * caller's tenant before the handler runs. A ref is inert: importing one does nothing.
 */
export interface Ref<Kind extends string, Value> {
  readonly kind: Kind
  /** Unique per kind in one gateway. The boot refuses two different refs with one id. */
  readonly id: string
  /** Carries the resolved type for the compiler; never read at run time. */
  readonly $value?: Value
}

/** A ref of any kind. */
export type AnyRef = Ref<string, unknown>
/** Refs that a handler may touch, under names of its choice. */
export type Uses = Readonly<Record<string, AnyRef>>

/** Values that a handler receives for its `uses`: the same keys, resolved. */
export type Resolved<U extends Uses> = {
  readonly [K in keyof U]: ValueOf<U[K]>
}
/** Type of a resolved ref. */
export type ValueOf<R> = R extends { readonly $value?: infer V } ? Exclude<V, undefined> | OptionalPart<R> : never
type OptionalPart<R> = R extends { readonly kind: 'optional' } ? undefined : never

/** A ref that resolves to `undefined` if no running plugin provides it. */
export interface OptionalRef<R extends AnyRef = AnyRef> extends Ref<'optional', ValueOf<R>> {
  readonly of: R
}

/** Makes a ref optional: it resolves to its value, or to `undefined`. */
export function optional<R extends AnyRef>(ref: R): OptionalRef<R> {
  return { kind: 'optional', id: ref.id, of: ref }
}
