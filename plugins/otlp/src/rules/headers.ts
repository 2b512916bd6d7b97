/** `name=value` as the headers of a request. Values may be percent-encoded, as OpenTelemetry says; others are used unchanged. */
export const headersOf = (given: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    given.map((pair) => {
      const at = pair.indexOf('=')
      return [pair.slice(0, at).trim().toLowerCase(), decoded(pair.slice(at + 1).trim())]
    }),
  )

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
