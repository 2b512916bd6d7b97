import { cutText } from '@gateway/sdk'
import type { Hook, Rule } from '../schema.ts'

/** Together far below what the smallest models read; bundled rules have about 2,000 characters. */
const MAX_CHARACTERS = 20_000

interface Guidance {
  readonly rules: readonly Rule[]
  readonly hooks: readonly Hook[]
}

/**
 * The text that is appended to a system prompt: every rule, and the hooks whose tools are all offered, since an agent cannot follow a hook
 * without them.
 */
export function guidanceFor({ rules, hooks }: Guidance, offered: ReadonlySet<string>): string {
  const followed = hooks.filter(({ tools }) => tools.every((tool) => offered.has(tool)))
  const parts = [
    ...(rules.length > 0 ? ['# Rules', ...rules.map(({ name, content }) => `## ${name}\n${content}`)] : []),
    ...(followed.length > 0
      ? ['# When it happens', ...followed.map(({ name, event, content }) => `## ${event}: ${name}\n${content}`)]
      : []),
  ]
  return cutText(parts.join('\n\n'), MAX_CHARACTERS)
}

/** The same for a client that begins: a line each, because it shares a small budget with other families. */
export function guidanceLines({ rules, hooks }: Guidance): string {
  const lines = [
    ...rules.map(({ name, description }) => `- rule \`${name}\`: ${oneLine(description)}`),
    ...hooks.map(({ event, description, tools }) => `- at ${event}: ${oneLine(description)}${named(tools)}`),
  ]
  return cutText(lines.join('\n'), MAX_CHARACTERS)
}

const oneLine = (text: string): string => cutText(text.replace(/\s+/g, ' '), 200)
const named = (tools: readonly string[]): string => (tools.length === 0 ? '' : ` (${tools.map((tool) => `\`${tool}\``).join(', ')})`)
