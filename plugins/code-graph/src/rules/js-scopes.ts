export interface Node {
  readonly type: string
  readonly [key: string]: unknown
}

export const asNode = (value: unknown): Node | undefined =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string' ? (value as Node) : undefined
export const asNodes = (value: unknown): readonly Node[] => (Array.isArray(value) ? value.flatMap((one) => asNode(one) ?? []) : [])
export const identifier = (value: unknown): string | undefined => {
  const node = asNode(value)
  return node?.type === 'Identifier' || node?.type === 'JSXIdentifier' ? (node.name as string) : undefined
}

/** Yields the names a pattern binds: `{ a, b: [c], ...d }`. */
export function* boundNames(pattern: unknown): Generator<string> {
  const node = asNode(pattern)
  switch (node?.type) {
    case 'Identifier':
      yield node.name as string
      break
    case 'ObjectPattern':
      for (const property of asNodes(node.properties)) yield* boundNames(property.type === 'Property' ? property.value : property.argument)
      break
    case 'ArrayPattern':
      for (const element of asNodes(node.elements)) yield* boundNames(element)
      break
    case 'AssignmentPattern':
      yield* boundNames(node.left)
      break
    case 'RestElement':
      yield* boundNames(node.argument)
      break
    case 'TSParameterProperty':
      yield* boundNames(node.parameter)
  }
}

/** Returns the names that a node declares for its inside, or `undefined` when it opens no scope. */
export function scopeOf(node: Node): Set<string> | undefined {
  switch (node.type) {
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      return new Set(asNodes(node.params).flatMap((one) => [...boundNames(one)]))
    case 'BlockStatement':
    case 'StaticBlock':
    case 'FunctionBody':
      return declared(asNodes(node.body))
    case 'SwitchStatement':
      return declared(asNodes(node.cases).flatMap((one) => asNodes(one.consequent)))
    case 'ForStatement':
      return declared(asNodes([node.init]))
    case 'ForInStatement':
    case 'ForOfStatement':
      return declared(asNodes([node.left]))
    case 'CatchClause':
      return new Set(boundNames(node.param))
    case 'TSModuleBlock':
      return declared(asNodes(node.body))
  }
  return undefined
}

function declared(statements: readonly Node[]): Set<string> | undefined {
  const names = new Set<string>()
  for (const statement of statements) {
    const node = statement.type.startsWith('Export') ? (asNode(statement.declaration) ?? statement) : statement
    if (node.type === 'VariableDeclaration')
      for (const one of asNodes(node.declarations)) for (const name of boundNames(one.id)) names.add(name)
    if (/^(Function|Class)Declaration$/.test(node.type)) for (const name of boundNames(node.id)) names.add(name)
  }
  return names.size === 0 ? undefined : names
}
