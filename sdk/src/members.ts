/**
 * Fault of a declaration, reported when the plugin is imported. Recognised by its name, because two copies of the SDK can be
 * loaded.
 */
export class DefinitionError extends TypeError {
  override readonly name = 'DefinitionError'
}

// biome-ignore lint/suspicious/noExplicitAny: of whatever function
type AnyFunction = (...args: any[]) => unknown

/** Every member of a function's argument number `At`, so that the list stays complete when one is added. */
export type MembersOf<F extends AnyFunction, At extends number = 0> = Readonly<Record<keyof Parameters<F>[At], true>>

/**
 * Refuses members that `what` does not have. TypeScript does so itself, but plugins in JavaScript exist, and there a misspelt
 * `rest` or `indexes` would be ignored silently.
 */
export function refuseUnknown(what: string, spec: object, members: Readonly<Record<string, true>>): void {
  if (typeof spec !== 'object' || spec === null) throw new DefinitionError(`${what} must be declared by an object; got ${String(spec)}`)
  const unknown = Object.keys(spec).filter((member) => !Object.hasOwn(members, member))
  if (unknown.length === 0) return
  const known = Object.keys(members).join(', ')
  throw new DefinitionError(`${what}: ${unknown.join(', ')} ${unknown.length === 1 ? 'is' : 'are'} none of its members, which are ${known}`)
}
