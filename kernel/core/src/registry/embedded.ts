import type { ContentBlock } from '@gateway/sdk'

/** Throws for a resource that has both text and blob, or neither. Clients would refuse the whole answer without naming it. */
export function checkEmbedded(resources: readonly unknown[]): void {
  for (const resource of resources) {
    const { uri, text, blob } = (resource ?? {}) as { uri?: unknown; text?: unknown; blob?: unknown }
    const kinds = [text, blob].filter((one) => one !== undefined)
    if (typeof uri === 'string' && kinds.length === 1 && typeof kinds[0] === 'string') continue
    throw new Error(`the embedded resource ${JSON.stringify(uri)} must have a uri, and exactly one of text and blob, a string`)
  }
}

export function checkContent(content: readonly ContentBlock[]): void {
  checkEmbedded(content.flatMap((block) => (block.type === 'resource' ? [block.resource] : [])))
}
