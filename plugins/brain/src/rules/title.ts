import { cutText } from '@gateway/sdk'

const MAX_TITLE = 160
const MAX_EXCERPT = 280

const lines = (content: string): string[] =>
  content
    .slice(0, 20_000)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** Returns the first heading, or the first line. */
export function titleOf(content: string, slug: string): string {
  const all = lines(content)
  const line = all.find((one) => /^#{1,6}\s+\S/.test(one)) ?? all[0] ?? slug
  return cutText(line.replace(/^#{1,6}\s+/, ''), MAX_TITLE)
}

/** Returns the first lines below it, joined into one. */
export function excerptOf(content: string): string {
  const all = lines(content)
  const from = all.findIndex((one) => /^#{1,6}\s+\S/.test(one))
  return cutText(
    all
      .slice(from < 0 ? 1 : from + 1)
      .filter((line) => !line.startsWith('```'))
      .join(' ')
      .slice(0, 2_000),
    MAX_EXCERPT,
  )
}
