import { asNode, identifier, type Node } from './js-scopes.ts'

/** Longer member chains are cut: they make no edge. */
const MAX_PARTS = 5

/** Returns the callee as `name.member`, or `undefined` if it is not a chain of names. `this` is kept as it is. */
export function dotted(value: unknown): string | undefined {
  const parts: string[] = []
  let node = asNode(value)
  while (node) {
    if (node.type === 'MemberExpression' && node.computed === true) return undefined
    if (node.type === 'MemberExpression' || node.type === 'JSXMemberExpression') {
      const name = identifier(node.property)
      if (name === undefined) return undefined
      parts.unshift(name)
      node = asNode(node.object)
    } else if (node.type === 'ChainExpression' || node.type.startsWith('TSNonNull') || node.type === 'TSInstantiationExpression') {
      node = asNode(node.expression)
    } else break
  }
  const head = node?.type === 'ThisExpression' ? 'this' : identifier(node)
  return head === undefined || head === '' ? undefined : [head, ...parts].slice(0, MAX_PARTS).join('.')
}

/** Returns the text of a string, or of a template without placeholders. */
export function literal(value: unknown): string | undefined {
  const node = asNode(value)
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node?.type !== 'TemplateLiteral' || (node.expressions as unknown[]).length > 0) return undefined
  return ((node.quasis as Node[])[0]?.value as { cooked?: string } | undefined)?.cooked
}

/** Returns a name on either side of an import or export: `import { "a b" as c }` has one as well. */
export function moduleName(value: unknown): string {
  return identifier(value) ?? literal(value) ?? ''
}

export function required(value: unknown): string | undefined {
  const node = asNode(value)
  if (node?.type !== 'CallExpression' || identifier(node.callee) !== 'require') return undefined
  const [what, ...more] = node.arguments as unknown[]
  return more.length === 0 ? literal(what) : undefined
}

/** Functions that take a specifier: of Node, and of test runners that replace or load a module. */
const TAKES_SPECIFIER =
  /^(?:require\.resolve|(?:jest|vi|vitest)\.(?:mock|unmock|doMock|doUnmock|dontMock|setMock|requireActual|requireMock|importActual|importMock))$/

/** The specifiers in a call other than `require`: `require.resolve('./x')`, `import.meta.resolve('./x')`, `jest.mock('./x')`. */
export function specifierIn(call: Node): string | undefined {
  const [first] = call.arguments as unknown[]
  const isTaking = TAKES_SPECIFIER.test(dotted(call.callee) ?? '') || isOfImportMeta(call.callee, 'resolve')
  return isTaking ? literal(first) : undefined
}

/** The file in `new URL('./worker.js', import.meta.url)`. */
export function fileUrlIn(node: Node): string | undefined {
  const [first, base] = node.arguments as unknown[]
  const path = identifier(node.callee) === 'URL' && isOfImportMeta(base, 'url') ? literal(first) : undefined
  return path === undefined || /^[\w+.-]+:/.test(path) ? undefined : /^[./]/.test(path) ? path : `./${path}`
}

function isOfImportMeta(value: unknown, member: string): boolean {
  const node = asNode(value)
  return node?.type === 'MemberExpression' && identifier(node.property) === member && asNode(node.object)?.type === 'MetaProperty'
}

export function keyName(member: Node): string | undefined {
  return member.computed === true ? undefined : (identifier(member.key) ?? literal(member.key))
}
