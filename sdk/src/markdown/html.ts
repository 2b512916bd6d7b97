const RAW_NAMES = new Set(['script', 'pre', 'style', 'textarea'])
const BLOCK_NAMES = new Set(
  (
    'address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt fieldset ' +
    'figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link main menu menuitem nav ' +
    'noframes ol optgroup option p param search section summary table tbody td tfoot th thead title tr track ul'
  ).split(' '),
)
const LONGEST_NAME = 10
const RAW_END = /<\/(?:script|pre|style|textarea)>/i
const TAG =
  /^(?:<[A-Za-z][A-Za-z0-9-]*(?:\s+[a-zA-Z_:][a-zA-Z0-9:._-]*(?:\s*=\s*(?:[^"'=<>`\p{Cc} ]+|'[^']*'|"[^"]*"))?)*\s*\/?>|<\/[A-Za-z][A-Za-z0-9-]*\s*>)\s*$/u

/** A kind of HTML block. It ends before the next blank line, or with the line that holds its end. */
export interface HtmlBlock {
  readonly endsAtBlank: boolean
  /** True when the block may begin within a paragraph. */
  readonly interrupts: boolean
  isEnd(line: string): boolean
}

const until = (isEnd: (line: string) => boolean): HtmlBlock => ({ endsAtBlank: false, interrupts: true, isEnd })
const raw = until((line) => RAW_END.test(line))
const comment = until((line) => line.includes('-->'))
const instruction = until((line) => line.includes('?>'))
const declaration = until((line) => line.includes('>'))
const characterData = until((line) => line.includes(']]>'))
const blockTag: HtmlBlock = { endsAtBlank: true, interrupts: true, isEnd: () => false }
const wholeTag: HtmlBlock = { ...blockTag, interrupts: false }

/** The HTML block that a line begins. The line begins with `<`, without its indent. */
export function htmlBlockOf(line: string): HtmlBlock | undefined {
  const second = line[1] ?? ''
  if (second === '!') return declarationOf(line)
  if (second === '?') return instruction
  if (second !== '/' && !isLetter(second)) return undefined
  const isClosing = second === '/'
  const name = nameAt(line, isClosing ? 2 : 1)
  if (!isClosing && RAW_NAMES.has(name) && isNameEnd(line, 1 + name.length, false)) return raw
  if (BLOCK_NAMES.has(name) && isNameEnd(line, (isClosing ? 2 : 1) + name.length, true)) return blockTag
  return TAG.test(line) ? wholeTag : undefined
}

function declarationOf(line: string): HtmlBlock | undefined {
  if (line.startsWith('<!--')) return comment
  if (line.startsWith('<![CDATA[')) return characterData
  return isLetter(line[2] ?? '') ? declaration : undefined
}

const isLetter = (character: string): boolean => /^[A-Za-z]/.test(character)

/** The tag name at an offset; empty when it is longer than every known name. */
function nameAt(line: string, from: number): string {
  return /^[A-Za-z0-9]{1,10}(?![A-Za-z0-9])/.exec(line.slice(from, from + LONGEST_NAME + 1))?.[0].toLowerCase() ?? ''
}

function isNameEnd(line: string, at: number, isEmptyTag: boolean): boolean {
  const next = line[at]
  return next === undefined || next === '>' || /\s/.test(next) || (isEmptyTag && next === '/' && line[at + 1] === '>')
}
