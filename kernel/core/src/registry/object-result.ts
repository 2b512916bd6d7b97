/** Throws unless a tool called over MCP returned an object: MCP has no structured content of another kind. */
export function requireObject(result: unknown): void {
  if (typeof result === 'object' && result !== null && !Array.isArray(result)) return
  const got = result === null ? 'null' : Array.isArray(result) ? 'a list' : result === undefined ? 'nothing' : `a ${typeof result}`
  throw new TypeError(`a tool must return an object; got ${got}`)
}
