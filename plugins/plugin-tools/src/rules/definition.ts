import { hash } from 'node:crypto'
import type { StoredTool } from '../collections.ts'
import type { PluginTool } from '../schema.ts'

type Definition = Pick<StoredTool, 'name' | 'description' | 'schemaText' | 'handlerUrl' | 'timeoutMs'>

/** Shows whether a tool is still the one that somebody reviewed. */
export function definitionHash({ name, description, schemaText, handlerUrl, timeoutMs }: Definition): string {
  return hash('sha256', JSON.stringify([name, description, schemaText, handlerUrl, timeoutMs]))
}

export function shown({ schemaText, secret: _secret, loopback: _loopback, ...fields }: StoredTool): PluginTool {
  return { ...fields, schema: JSON.parse(schemaText) as object }
}
