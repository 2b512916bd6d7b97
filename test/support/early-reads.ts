import { parseSync, visitorKeys } from 'oxc-parser'

/** A value that a function awaits before its transaction begins, and that the transaction uses. */
export interface EarlyRead {
  /** Name of the variable. */
  readonly name: string
  /** Source of the awaited call. */
  readonly read: string
}

interface Tree {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

const children = (node: Tree): readonly Tree[] =>
  (visitorKeys[node.type] ?? [])
    .flatMap((key) => node[key] as Tree | readonly Tree[] | null)
    .filter((child): child is Tree => child !== null && child !== undefined)

const isFunction = ({ type }: Tree): boolean =>
  type === 'FunctionDeclaration' || type === 'FunctionExpression' || type === 'ArrowFunctionExpression'

function walk(node: Tree, visit: (node: Tree) => boolean | undefined): void {
  if (visit(node) === false) return
  for (const child of children(node)) walk(child, visit)
}

/** Early reads of one source file. Reads that are passed to another function, which begins the transaction, are not seen. */
export function earlyReads(file: string, source: string): readonly EarlyRead[] {
  const text = (node: Tree): string => source.slice(node.start, node.end)
  const found: EarlyRead[] = []
  walk(parseSync(file, source).program as unknown as Tree, (node) => {
    if (isFunction(node)) found.push(...readsBefore(node))
    return undefined
  })
  return found

  function readsBefore(body: Tree): readonly EarlyRead[] {
    const reads = new Map<string, string>()
    const transactions: Tree[] = []
    const visit = (parent: Tree): void => {
      for (const node of children(parent)) {
        const [work] = (node.type === 'CallExpression' ? node.arguments : []) as readonly Tree[]
        if (work && isFunction(work) && /(^|\.)atomically$/.test(text(node.callee as Tree))) {
          transactions.push(work)
          continue
        }
        if (isFunction(node)) continue
        if (node.type === 'VariableDeclarator') declare(node)
        visit(node)
      }
    }
    const declare = ({ id, init }: Tree): void => {
      const read = init ? awaited(init as Tree) : undefined
      if (read !== undefined) for (const name of namesIn(id as Tree)) reads.set(name, read)
    }
    visit(body)
    return transactions
      .flatMap((work) => [...namesIn(work)].flatMap((name) => ({ name, read: reads.get(name) ?? '' })))
      .filter(({ read }) => read)
  }

  /** Source of the call that an expression awaits outside of any transaction. */
  function awaited(expression: Tree): string | undefined {
    let read: string | undefined
    walk(expression, (node) => {
      if (isFunction(node)) return false
      const call = node.type === 'AwaitExpression' ? (node.argument as Tree) : undefined
      if (call?.type === 'CallExpression' && !/\btx\b/.test(text(call))) read = text(call).replace(/\s+/g, ' ')
      return undefined
    })
    return read
  }
}

function namesIn(node: Tree): ReadonlySet<string> {
  const names = new Set<string>()
  walk(node, (one) => {
    if (one.type === 'Identifier') names.add(String(one.name))
    return undefined
  })
  return names
}
