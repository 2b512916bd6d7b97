import type { ErrorSpec, Plugin } from '@gateway/sdk'
import { table } from './schema-text.ts'

/** docs/reference/errors.md: the catalogue, the kernel's codes first. */
export function errorsReference(kernel: readonly ErrorSpec[], plugins: readonly Plugin[]): string {
  const known = new Set(kernel.map((error) => error.code))
  const families = plugins.map((plugin) => {
    const declared = [...plugin.tools, ...plugin.routes].flatMap((operation) => operation.errors)
    const own = [...new Map(declared.map((error) => [error.code, error])).values()].filter((error) => !known.has(error.code))
    return own.length === 0 ? '' : `\n## ${plugin.id}\n\n${catalogue(own)}\n`
  })
  return `# Errors

Every refusal is one record: \`{"error": "<sentence>", "code": "<CODE>", "details"?: …, "requestId": "…"}\`. Over REST it is the
body under the status below; over MCP the result has \`isError: true\`, the sentence as text and the record as
\`structuredContent\`. \`code\` is stable; the sentence may change.

## Any call

${catalogue(kernel)}
${families.join('')}`
}

function catalogue(errors: readonly ErrorSpec[]): string {
  const sorted = [...errors].sort((a, b) => (a.code < b.code ? -1 : 1))
  return table(
    ['code', 'status', 'when'],
    sorted.map((error) => [`\`${error.code}\``, String(error.status), error.description]),
  )
}
