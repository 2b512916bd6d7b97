import { join } from 'node:path'
import { JsonMembers } from './json-members.ts'
import { TomlConfig } from './toml-config.ts'
import { TomlLine } from './toml-line.ts'

export interface ModelConfig {
  readonly path: string
  write(): Promise<void>
  /** Resolves to false if there was nothing to remove. */
  undo(): Promise<boolean>
}

export interface ModelClient {
  readonly label: string
  /** Steps its user has to take there. */
  readonly afterwards: string
  config(place: { readonly home: string; readonly cwd: string; readonly url: string }): ModelConfig
}

/** Command that prints the key, for a client that starts one to get it: no key is in the file. */
const PRINT_KEY = 'printenv GATEWAY_API_KEY'
const CODEX_PROVIDER = 'gateway'

export const modelClients: Readonly<Record<string, ModelClient>> = {
  'claude-code': {
    label: 'Claude Code',
    afterwards:
      'It asks for approval when it is next started in this folder. Variables ANTHROPIC_API_KEY and ANTHROPIC_AUTH_TOKEN take precedence: unset them.',
    config: ({ cwd, url }) =>
      new JsonMembers(join(cwd, '.claude', 'settings.json'), [
        { path: ['env', 'ANTHROPIC_BASE_URL'], value: url },
        { path: ['apiKeyHelper'], value: PRINT_KEY },
      ]),
  },
  codex: {
    label: 'Codex',
    afterwards: 'Name a model of the gateway there: `model` in the same file, or `codex --model standard`.',
    config: ({ home, url }) => codexConfig(join(home, '.codex', 'config.toml'), url),
  },
}

function codexConfig(path: string, url: string): ModelConfig {
  const table = new TomlConfig(path, 'model_providers', CODEX_PROVIDER)
  const line = new TomlLine(path, 'model_provider', CODEX_PROVIDER)
  return {
    path,
    async write() {
      await line.check()
      await table.write({ name: 'Gateway', base_url: `${url}/v1`, env_key: 'GATEWAY_API_KEY', wire_api: 'responses' })
      await line.write()
    },
    async undo() {
      await line.undo()
      return table.undo()
    },
  }
}

/** Lines for a shell, which set the variables of the SDKs of both wires. */
export const modelVariables = (
  url: string,
): { readonly variables: Readonly<Record<string, string>>; readonly unset: readonly string[] } => ({
  variables: {
    OPENAI_BASE_URL: `${url}/v1`,
    OPENAI_API_KEY: '$GATEWAY_API_KEY',
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_AUTH_TOKEN: '$GATEWAY_API_KEY',
  },
  unset: ['ANTHROPIC_API_KEY'],
})

export function shellLines(url: string): readonly string[] {
  const { variables, unset } = modelVariables(url)
  const quoted = (value: string): string => (value.startsWith('$') ? `"${value}"` : value)
  return [...Object.entries(variables).map(([name, value]) => `export ${name}=${quoted(value)}`), ...unset.map((name) => `unset ${name}`)]
}
