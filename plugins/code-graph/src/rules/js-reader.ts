import type { Binding } from './facts.ts'
import type { FactsBuilder } from './facts-builder.ts'
import { dotted, fileUrlIn, keyName, literal, moduleName, required, specifierIn } from './js-names.ts'
import { asNode, asNodes, boundNames, identifier, type Node, scopeOf } from './js-scopes.ts'

export type { Node } from './js-scopes.ts'

/**
 * Walks a syntax tree once. A name that is rebound in an inner scope leads nowhere: a missing edge is better than a wrong one.
 */
export class JsReader {
  readonly #keys: Readonly<Record<string, readonly string[]>>
  readonly #facts: FactsBuilder
  readonly #scopes: Set<string>[] = []
  #by = ''
  #class = ''

  constructor(keys: Readonly<Record<string, readonly string[]>>, facts: FactsBuilder) {
    this.#keys = keys
    this.#facts = facts
  }

  read(program: Node): void {
    for (const statement of asNodes(program.body)) this.#statement(statement)
  }

  #statement(node: Node): void {
    switch (node.type) {
      case 'ImportDeclaration':
        return this.#facts.refer(moduleName(node.source), asNodes(node.specifiers).map(importBinding))
      case 'ExportAllDeclaration':
        return this.#facts.pass(moduleName(node.source), [['*', node.exported ? moduleName(node.exported) : '*']])
      case 'ExportNamedDeclaration':
        return this.#exportNamed(node)
      case 'ExportDefaultDeclaration':
        return this.#exportDefault(asNode(node.declaration))
      case 'TSExportAssignment':
        return this.#exportDefault(asNode(node.expression))
      case 'ExpressionStatement':
        if (this.#assignsExports(asNode(node.expression))) return
    }
    this.#declare(node)
  }

  #exportNamed(node: Node): void {
    const names = asNodes(node.specifiers).map((one): Binding => [moduleName(one.local), moduleName(one.exported)])
    if (node.source) return this.#facts.pass(moduleName(node.source), names)
    for (const [ours, as] of names) this.#facts.export(as, ours)
    const declaration = asNode(node.declaration)
    if (!declaration) return
    for (const name of declaredNames(declaration)) this.#facts.export(name, name)
    this.#declare(declaration)
  }

  #exportDefault(node: Node | undefined): void {
    if (!node) return
    const name = identifier(node) ?? identifier(node.id) ?? 'default'
    this.#facts.export('default', name)
    if (identifier(node) !== undefined) return
    if (identifier(node.id) !== undefined && node.type !== 'CallExpression') return this.#declare(node)
    this.#facts.symbol('default')
    this.#value('default', node)
  }

  /** Reads the CommonJS exports `module.exports = …` and `exports.name = …`. */
  #assignsExports(node: Node | undefined): boolean {
    if (node?.type !== 'AssignmentExpression' || node.operator !== '=') return false
    const [, member] = /^(?:module\.)?exports(?:\.([^.]+))?$/.exec(dotted(node.left) ?? '') ?? []
    const whole = dotted(node.left) === 'module.exports'
    if (!whole && member === undefined) return false
    const value = asNode(node.right)
    if (whole && value?.type === 'ObjectExpression') {
      for (const property of asNodes(value.properties)) this.#exportProperty(property)
      return true
    }
    const as = member ?? 'default'
    const ours = identifier(value) ?? as
    const from = required(value)
    if (from !== undefined) this.#facts.pass(from, [['*', as]])
    this.#facts.export(as, ours)
    if (ours === as && from === undefined) this.#facts.symbol(as)
    if (value) this.#value(as, value)
    return true
  }

  #exportProperty(property: Node): void {
    const name = keyName(property)
    const ours = identifier(property.value) ?? name
    if (name !== undefined && ours !== undefined) {
      this.#facts.export(name, ours)
      if (identifier(property.value) === undefined) this.#facts.symbol(name)
    }
    this.#under(name ?? this.#by, () => this.#visit(asNode(property.value) ?? asNode(property.argument)))
  }

  #declare(node: Node): void {
    if (node.type === 'VariableDeclaration') for (const one of asNodes(node.declarations)) this.#variable(one)
    else if (node.type === 'TSImportEqualsDeclaration') {
      const from = literal(asNode(node.moduleReference)?.expression)
      if (from !== undefined) this.#facts.refer(from, [['*', moduleName(node.id)]])
    } else {
      const names = declaredNames(node)
      for (const name of names) this.#facts.symbol(name)
      this.#value(names[0] ?? '', node)
    }
  }

  #variable(node: Node): void {
    const from = required(node.init)
    if (from !== undefined) return this.#facts.refer(from, requiredBindings(asNode(node.id)))
    const names = [...boundNames(node.id)]
    for (const name of names) this.#facts.symbol(name)
    this.#visit(asNode(asNode(node.id)?.typeAnnotation))
    const value = asNode(node.init)
    if (value) this.#value(names.length === 1 ? (names[0] ?? '') : '', value)
  }

  /** Reads the value of a top-level name, whose members are symbols too. */
  #value(name: string, node: Node): void {
    this.#under(name, () => {
      if (node.type.startsWith('Class')) this.#classBody(name, node)
      else if (node.type === 'ObjectExpression' && name !== '') this.#object(name, node)
      else this.#visit(node)
    })
  }

  #classBody(name: string, node: Node): void {
    const outer = this.#class
    this.#class = name
    for (const part of [node.superClass, node.superTypeArguments, node.typeParameters]) this.#visit(asNode(part))
    for (const part of [...asNodes(node.decorators), ...asNodes(node.implements)]) this.#visit(part)
    for (const member of asNodes(asNode(node.body)?.body)) this.#member(name, member)
    this.#class = outer
  }

  #object(name: string, node: Node): void {
    for (const property of asNodes(node.properties)) this.#member(name, property)
  }

  #member(owner: string, node: Node): void {
    const key = keyName(node)
    const isFunction = /Function/.test(asNode(node.value)?.type ?? '')
    const own = owner !== '' && key !== undefined && isFunction ? `${owner}.${key}` : undefined
    if (own !== undefined) this.#facts.symbol(own)
    this.#under(own ?? this.#by, () => this.#visit(node))
  }

  #under(by: string, work: () => void): void {
    const outer = this.#by
    this.#by = by
    work()
    this.#by = outer
  }

  #visit(node: Node | undefined): void {
    if (!node) return
    this.#look(node)
    const scope = scopeOf(node)
    if (scope) this.#scopes.push(scope)
    for (const key of this.#keys[node.type] ?? []) {
      const value = node[key]
      if (Array.isArray(value)) for (const one of value) this.#visit(asNode(one))
      else this.#visit(asNode(value))
    }
    if (scope) this.#scopes.pop()
  }

  #look(node: Node): void {
    switch (node.type) {
      case 'CallExpression': {
        const from = this.#isBound('require') ? undefined : (required(node) ?? specifierIn(node))
        return from === undefined ? this.#call(node.callee) : this.#facts.refer(from)
      }
      case 'NewExpression': {
        const file = fileUrlIn(node)
        return file === undefined ? this.#call(node.callee) : this.#facts.refer(file)
      }
      case 'TaggedTemplateExpression':
        return this.#call(node.tag)
      case 'Decorator':
        return this.#call(node.expression)
      case 'JSXOpeningElement':
        return this.#call(node.name)
      case 'ImportExpression':
      case 'TSImportType': {
        const from = literal(node.source)
        if (from !== undefined) this.#facts.refer(from)
      }
    }
  }

  #call(callee: unknown): void {
    const what = dotted(callee)
    if (what === undefined) return
    const [head = '', ...rest] = what.split('.')
    if (head === 'this') {
      if (this.#class !== '' && rest.length === 1) this.#facts.call(this.#by, `${this.#class}.${rest[0]}`)
    } else if (!this.#isBound(head)) this.#facts.call(this.#by, what)
  }

  #isBound(name: string): boolean {
    return this.#scopes.some((scope) => scope.has(name))
  }
}

function importBinding(node: Node): Binding {
  const ours = moduleName(node.local)
  if (node.type === 'ImportNamespaceSpecifier') return ['*', ours]
  return [node.type === 'ImportDefaultSpecifier' ? 'default' : moduleName(node.imported), ours]
}

function requiredBindings(pattern: Node | undefined): Binding[] {
  if (pattern?.type !== 'ObjectPattern') return [...boundNames(pattern)].slice(0, 1).map((name) => ['*', name])
  return asNodes(pattern.properties).flatMap((one): Binding[] => {
    const [theirs, ours] = [keyName(one), identifier(one.value)]
    return theirs === undefined || ours === undefined ? [] : [[theirs, ours]]
  })
}

/** Returns the top-level names a declaration makes. Types cannot be called, but are imported like other names. */
function declaredNames(node: Node): string[] {
  if (node.type === 'VariableDeclaration') return asNodes(node.declarations).flatMap((one) => [...boundNames(one.id)])
  const name = node.type.endsWith('Declaration') ? identifier(node.id) : undefined
  return name === undefined ? [] : [name]
}
