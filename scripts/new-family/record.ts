import { camel } from './family.ts'

/** Returns the plural of a noun in kebab-case. */
export function pluralOf(noun: string): string {
  if (/(?:s|x|z|ch|sh)$/.test(noun)) return `${noun}es`
  return /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`
}

/** Names the records of the templates after what the family keeps: `recordId` becomes `lendingSlipId`. */
export function named(text: string, record: string): string {
  if (record === 'record') return text
  const [one, many] = [camel(record), camel(pluralOf(record))]
  return text
    .replaceAll('Records', titleOf(pluralOf(record)))
    .replaceAll(/\brecord’s\b/g, `${record.replaceAll('-', ' ')}’s`)
    .replaceAll(/\brecords\b/g, many)
    .replaceAll(/\brecord(?=\b|Id\b|Schema\b)/g, one)
}

const titleOf = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1).replaceAll('-', ' ')}`
