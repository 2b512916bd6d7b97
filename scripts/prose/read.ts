import { parseSync, visitorKeys } from 'oxc-parser'

/** A piece of prose, or a name, with the line (from 1) where it begins. */
export interface Piece {
  readonly kind: 'comment' | 'text' | 'name'
  readonly line: number
  readonly text: string
}

interface Node {
  readonly type: string
  readonly start: number
  readonly [member: string]: unknown
}

/** Members whose text a person reads. */
const READ_BY_PEOPLE = new Set([
  'summary',
  'description',
  'title',
  'empty',
  'message',
  'hint',
  'label',
  'fix',
  'reason',
  'fault',
  'text',
  'done',
  'remedy',
  'promise',
  'placeholder',
])
/** Comments for tools rather than readers. */
const DIRECTIVE = /^(?:biome-ignore|@ts-|eslint|oxlint|[@#]__PURE__|\/ ?<reference)/
const ERROR_CLASS = /(?:Error|Fault|Faulty|Refusal)$/
/** Folders whose strings are data of tests, also of the official conformance suite; their comments and messages count. */
const TESTS = /(?:^|\/)(?:test|bench|conformance-plugin)\//
const LOGGER = /^#?log(?:ger)?$/
const LOG_METHOD = /^(?:debug|info|warn|error|fatal)$/

/** Reads the pieces of a file, by the ending of its name. */
export function piecesOf(path: string, source: string): Piece[] {
  if (path.endsWith('.md')) return paragraphsOf(source)
  if (path.endsWith('package.json')) return descriptionOf(source)
  if (/\.ya?ml$/.test(path)) return hashComments(source)
  const { program, comments } = parseSync(path, source)
  const line = lineCounter(source)
  const readsSentences = !TESTS.test(path)
  return [
    ...joined(comments, source, line),
    ...walk(program as unknown as Node, readsSentences).map(({ kind, start, text }) => ({ kind, text, line: line(start) })),
  ]
}

/** Reads the description that npm shows. */
function descriptionOf(source: string): Piece[] {
  const { description } = JSON.parse(source) as { readonly description?: string }
  if (description === undefined) return []
  return [{ kind: 'text', line: source.split('\n').findIndex((line) => line.includes('"description"')) + 1, text: description }]
}

/** Reads the comments of a YAML file that have lines of their own; consecutive lines are one piece. */
function hashComments(source: string): Piece[] {
  const pieces: Piece[] = []
  let last: { line: number; text: string } | undefined
  for (const [index, raw] of source.split('\n').entries()) {
    const [, text] = /^\s*# ?(.+)$/.exec(raw) ?? []
    if (text === undefined) last = undefined
    else if (last) last.text += ` ${text}`
    else pieces.push({ kind: 'comment', ...(last = { line: index + 1, text }) })
    if (last) pieces[pieces.length - 1] = { kind: 'comment', ...last }
  }
  return pieces
}

/** Members that hold the alternatives of an expression, by its type. */
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  ConditionalExpression: ['consequent', 'alternate'],
  LogicalExpression: ['left', 'right'],
  ArrowFunctionExpression: ['body'],
}

interface Found {
  readonly kind: 'text' | 'name'
  readonly start: number
  readonly text: string
}

function walk(root: Node, readsSentences: boolean): Found[] {
  const found: Found[] = []
  const pending: Node[] = [root]
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.type === 'Identifier') found.push({ kind: 'name', start: node.start, text: node['name'] as string })
    if (readsSentences && isSentence(textOf(node) ?? '')) pushText(found, true, node)
    if (node.type === 'Property') pushText(found, READ_BY_PEOPLE.has(nameOf(node['key'] as Node)), node['value'] as Node)
    if (node.type === 'NewExpression' || node.type === 'CallExpression') {
      const isRead = (node.type === 'NewExpression' ? isError : isLog)(node['callee'] as Node)
      for (const argument of node['arguments'] as Node[]) pushText(found, isRead, argument)
    }
    for (const key of visitorKeys[node.type] ?? []) {
      const child = node[key] as Node | readonly (Node | null)[] | null | undefined
      if (Array.isArray(child)) pending.push(...child.filter((one) => one !== null))
      else if (child) pending.push(child as Node)
    }
  }
  return found.filter(({ kind, start }, at) => kind === 'name' || found.findIndex((other) => other.start === start) === at)
}

/** True for a text of four words or more that a person reads: it begins with a capital, or has punctuation. */
const isSentence = (text: string): boolean => /^\S+(?: \S+){3}/.test(text) && /^[A-Z]|[.:;,?](?: |$)/.test(text)

const isError = (callee: Node): boolean => ERROR_CLASS.test(nameOf(callee))

/** True for a method of a logger: `log.warn`, `ctx.log.error`. */
function isLog(callee: Node): boolean {
  if (callee.type !== 'MemberExpression' || !LOG_METHOD.test(nameOf(callee['property'] as Node))) return false
  const object = callee['object'] as Node
  return LOGGER.test(nameOf(object.type === 'MemberExpression' ? (object['property'] as Node) : object))
}

function nameOf(node: Node): string {
  return String(node['name'] ?? node['value'] ?? '')
}

function pushText(found: Found[], isRead: boolean, node: Node): void {
  if (!isRead) return
  for (const part of alternatives(node)) {
    const text = textOf(part)
    if (text?.includes(' ')) found.push({ kind: 'text', start: part.start, text })
  }
}

/** Returns the expressions that a value may be: both sides of a condition, and the result of `(details) => text`. */
function alternatives(node: Node): readonly Node[] {
  const [first, second] = CHOICES[node.type] ?? []
  if (first === undefined) return [node]
  return [first, ...(second === undefined ? [] : [second])].flatMap((member) => alternatives(node[member] as Node))
}

/** The value of a string or template literal, with `…` in place of each expression; undefined for anything else. */
function textOf(node: Node): string | undefined {
  if (node.type === 'Literal' && typeof node['value'] === 'string') return node['value']
  if (node.type !== 'TemplateLiteral') return undefined
  return (node['quasis'] as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('…')
}

/** Joins line comments on consecutive lines into one piece. */
function joined(
  comments: readonly { type: string; value: string; start: number; end: number }[],
  source: string,
  line: (at: number) => number,
): Piece[] {
  const pieces: { line: number; end: number; isLine: boolean; text: string }[] = []
  for (const { type, value, start, end } of comments) {
    const at = line(start)
    const last = pieces.at(-1)
    const isLine = type === 'Line'
    const isAlone = source.slice(source.lastIndexOf('\n', start - 1) + 1, start).trim() === ''
    if (isLine && isAlone && last?.isLine && last.end === at - 1) {
      last.text += ` ${value.trim()}`
      last.end = at
    } else pieces.push({ line: at, end: line(end), isLine, text: plain(value) })
  }
  return pieces.filter(({ text }) => text !== '' && !DIRECTIVE.test(text)).map(({ line, text }) => ({ kind: 'comment', line, text }))
}

function plain(comment: string): string {
  return comment
    .replace(/^\*/, '')
    .replace(/^[ \t]*\* ?/gm, '')
    .trim()
}

function lineCounter(source: string): (at: number) => number {
  const ends: number[] = []
  for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1)) ends.push(at)
  return (at) => {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ends[middle] as number) < at) low = middle + 1
      else high = middle
    }
    return low + 1
  }
}

/** Reads the paragraphs, list items and table rows of a Markdown document, without its code. */
function paragraphsOf(source: string): Piece[] {
  const pieces: Piece[] = []
  let isCode = false
  let open: { line: number; text: string } | undefined
  const close = (): void => {
    if (open) pieces.push({ kind: 'text', ...open })
    open = undefined
  }
  for (const [index, raw] of source.split('\n').entries()) {
    if (/^\s*(?:```|~~~)/.test(raw)) {
      isCode = !isCode
      close()
      continue
    }
    if (isCode) continue
    const text = raw.replace(/`[^`]*`/g, '…').trim()
    const isStart = /^(?:[-*+] |\d+\. |#|\||>|<)/.test(text)
    if (text === '' || isStart) close()
    if (text === '') continue
    const own = text.replace(/^(?:[-*+] |\d+\. |#+ |\| |> )/, '').replace(/^\*\*|\*\*$/g, '')
    if (open) open.text += ` ${own}`
    else open = { line: index + 1, text: own }
  }
  close()
  return pieces
}
