/** What is wrong with a declaration, said when the plugin is imported. Known by its name: two copies of the SDK can live together. */
export class DefinitionError extends TypeError {
  override readonly name = 'DefinitionError'
}

// biome-ignore lint/suspicious/noExplicitAny: of whatever function
type AnyFunction = (...args: any[]) => unknown

/** Every member of what a function takes as its argument number `At`, so that none is forgotten when one is added. */
export type MembersOf<F extends AnyFunction, At extends number = 0> = Readonly<Record<keyof Parameters<F>[At], true>>

/**
 * Refuses a member that `what` has not: TypeScript does so itself, but plugins are written in JavaScript too, and there a misspelt
 * `rest` or `indexes` would leave out silently what it was to say.
 */
export function refuseUnknown(what: string, spec: object, members: Readonly<Record<string, true>>): void {
  if (typeof spec !== 'object' || spec === null) throw new DefinitionError(`${what} must be declared by an object; got ${String(spec)}`)
  const unknown = Object.keys(spec).filter((member) => !Object.hasOwn(members, member))
  if (unknown.length === 0) return
  const known = Object.keys(members).join(', ')
  throw new DefinitionError(`${what}: ${unknown.join(', ')} ${unknown.length === 1 ? 'is' : 'are'} none of its members, which are ${known}`)
}
