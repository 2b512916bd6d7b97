import { createHash } from 'node:crypto'
import { SCRIPT, STYLE } from './docs-assets.ts'
import type { OpenApiDocument } from './document.ts'
import type { OpenApiOperation } from './operation.ts'

export interface DocsPage {
  readonly html: Buffer
  /** Content security policy of the page: its own style and script by hash, and nothing else. */
  readonly policy: string
}

/** The reference for people: one self-contained page made from the OpenAPI document. */
export function docsPage(document: OpenApiDocument): DocsPage {
  const { info, tags } = document
  const entries = listed(document)
  const sections = tags.map(({ name, description }) => {
    const cards = entries.filter(({ operation }) => operation.tags.includes(name)).map((entry) => card(entry, document))
    return `<section id="${escape(name)}"><h2>${escape(name)}</h2><p>${prose(description)}</p>${cards.join('')}</section>`
  })
  const html = [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escape(info.title)} API ${escape(info.version)}</title><style>${STYLE}</style></head><body>`,
    `<header><h1>${escape(info.title)} API <small>${escape(info.version)}</small></h1>`,
    ...info.description.split('\n\n').map((paragraph) => `<p>${prose(paragraph)}</p>`),
    '<p><a href="/api/openapi.json">openapi.json</a></p>',
    '<input id="search" type="search" placeholder="Search paths, names and texts" aria-label="Search" autofocus>',
    `<nav>${tags.map(({ name }) => `<a href="#${escape(name)}">${escape(name)}</a>`).join(' ')}</nav></header>`,
    `<main>${sections.join('')}<p id="none" hidden>Nothing matches.</p></main><script>${SCRIPT}</script></body></html>`,
  ].join('\n')
  const policy = [
    "default-src 'none'",
    `style-src '${sha256(STYLE)}'`,
    `script-src '${sha256(SCRIPT)}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
  return { html: Buffer.from(html), policy }
}

interface Entry {
  readonly path: string
  readonly method: string
  readonly operation: OpenApiOperation
}
interface AnySchema {
  readonly $ref?: string
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly AnySchema[]
  readonly items?: AnySchema
  readonly properties?: Readonly<Record<string, AnySchema>>
  readonly required?: readonly string[]
  readonly description?: string
  readonly default?: unknown
}

/** Every operation; a tool with a path of its own is listed only under that path. */
function listed({ paths }: OpenApiDocument): readonly Entry[] {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  const bound = new Set(all.map(({ operation }) => `tools/${operation.operationId}`))
  return all.filter(({ operation }) => !bound.has(operation.operationId))
}

function card({ path, method, operation }: Entry, document: OpenApiDocument): string {
  const { operationId, summary, description, responses } = operation
  const capability = operation['x-required-capability']
  const facts = [operationId, ...(capability === undefined ? [] : [`capability ${String(capability)}`, String(operation['x-effect'])])]
  return [
    `<details data-text="${escape(`${method} ${path} ${operationId} ${description}`.toLowerCase())}">`,
    `<summary><b class="${method.toLowerCase()}">${method}</b> <code>${escape(path)}</code> <span>${prose(String(summary))}</span></summary>`,
    `<p>${prose(description)}</p><p class="facts">${escape(facts.join(' · '))}</p>`,
    table('Arguments', argumentRows(operation, document)),
    table('Answers', answerRows(responses as Responses, document)),
    '</details>',
  ].join('')
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: AnySchema }>>
}
type Responses = Readonly<Record<string, Content & { readonly $ref?: string; readonly description?: string }>>
interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly schema: AnySchema
}

function argumentRows({ parameters = [], requestBody }: OpenApiOperation, document: OpenApiDocument): string[][] {
  const body = schemaOf(requestBody as Content | undefined, document)
  return [
    ...(parameters as readonly (Parameter | { readonly $ref: string })[])
      .filter((parameter) => 'name' in parameter)
      .map(({ name, in: place, required, schema }) => fieldRow(name, place, required, schema)),
    ...Object.entries(body?.properties ?? {}).map(([name, schema]) =>
      fieldRow(name, 'body', body?.required?.includes(name) ?? false, schema),
    ),
  ]
}

function answerRows(responses: Responses, document: OpenApiDocument): string[][] {
  return Object.entries(responses).map(([status, response]) => {
    const fields = Object.entries(schemaOf(response, document)?.properties ?? {}).map(([name, schema]) => `${name}: ${typeName(schema)}`)
    return [status, prose(response.description ?? 'Refused: the error record.'), escape(fields.join(', '))]
  })
}

function fieldRow(name: string, place: string, required: boolean, schema: AnySchema): string[] {
  const standard = schema.default === undefined ? '' : ` Default ${JSON.stringify(schema.default)}.`
  return [
    `<code>${escape(name)}</code>`,
    `${place}${required ? ', required' : ''}`,
    `${escape(typeName(schema))} ${prose((schema.description ?? '') + standard)}`,
  ]
}

function typeName(schema: AnySchema): string {
  const values = schema.const === undefined ? schema.enum : [schema.const]
  if (values) return values.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.anyOf) return schema.anyOf.map(typeName).join(' | ')
  if (schema.items) return `${typeName(schema.items)}[]`
  return schema.type ?? schema.$ref?.split('/').at(-1) ?? 'any'
}

function schemaOf(content: Content | undefined, { components }: OpenApiDocument): AnySchema | undefined {
  const schema = content?.content?.['application/json']?.schema
  if (schema?.$ref === undefined) return schema
  return components.schemas[schema.$ref.replace('#/components/schemas/', '')] as AnySchema | undefined
}

function table(title: string, rows: readonly string[][]): string {
  if (rows.length === 0) return ''
  const body = rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')
  return `<h3>${title}</h3><table>${body}</table>`
}

function prose(text: string): string {
  return escape(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;')
}

function sha256(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
