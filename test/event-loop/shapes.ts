/** Texts that are costly to some parser, by the part that they repeat. */
export const SHAPES: Readonly<Record<string, string>> = {
  lines: 'a\n',
  rules: '***\n',
  definitions: '[a]: b\n',
  brackets: '[',
  'opening tags': '<',
  backticks: '`',
  blanks: ' \t\u00a0',
  emoji: '👩‍👩‍👧e\u0301\ud83d',
  'front matter': '---\nx: y\n',
  'one letter': 'a',
  'nested JSON': '{"a":[',
  quotes: '> #\nb\n',
}

/** Returns the first `length` characters of a shape, with an end that no repetition expects. */
export function shaped(part: string, length: number): string {
  return `${part.repeat(Math.ceil(length / part.length)).slice(0, Math.max(0, length - 1))}!`.slice(0, length)
}
