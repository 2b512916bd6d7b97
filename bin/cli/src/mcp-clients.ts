import { join } from 'node:path'

export interface McpClient {
  readonly label: string
  /** Format of the file. Default: JSON. */
  readonly format?: 'toml'
  /** Folders for skills, and for agents if it has a format for them; absent if it has none. */
  readonly library?: ClientLibrary
  /** Steps its user has to take there before the entry takes effect. */
  readonly afterwards?: string
  /** Returns the file, in the project or in the user's home. */
  file(place: { readonly home: string; readonly cwd: string }): string
  /** The member that holds the servers. */
  readonly servers: string
  /** Returns the entry of a server that speaks streamable HTTP. */
  entry(url: string, headers: Readonly<Record<string, string>> | undefined): object
  /** Returns the entry of a server that is a program the client starts. */
  program(command: string, args: readonly string[]): object
  /** Returns the configuration's spelling of an environment variable, so that no key needs to be in the file. */
  variable(name: string): string
}

/** Folders in the project. A skill is `<name>/SKILL.md`, an agent one Markdown file. */
export interface ClientLibrary {
  readonly skills: string
  readonly agents?: { readonly folder: string; readonly extension: string }
}

const withHeaders = (entry: object, headers: object | undefined): object => (headers ? { ...entry, headers } : entry)

const program = (command: string, args: readonly string[]): object => ({ command, args })
const typedProgram = (command: string, args: readonly string[]): object => ({ type: 'stdio', command, args })

/** Codex names the variable of the key, and sends it as a bearer token. */
const codexEntry = (url: string, headers: object | undefined): object => ({
  url,
  ...(headers && { bearer_token_env_var: 'GATEWAY_API_KEY' }),
})

export const mcpClients: Readonly<Record<string, McpClient>> = {
  'claude-code': {
    label: 'Claude Code',
    library: { skills: '.claude/skills', agents: { folder: '.claude/agents', extension: '.md' } },
    afterwards: 'It asks for approval when it is next started in this folder.',
    file: ({ cwd }) => join(cwd, '.mcp.json'),
    servers: 'mcpServers',
    entry: (url, headers) => withHeaders({ type: 'http', url }, headers),
    program: typedProgram,
    variable: (name) => `\${${name}}`,
  },
  codex: {
    label: 'Codex',
    format: 'toml',
    library: { skills: '.agents/skills' },
    file: ({ home }) => join(home, '.codex', 'config.toml'),
    servers: 'mcp_servers',
    entry: codexEntry,
    program,
    variable: (name) => name,
  },
  cursor: {
    label: 'Cursor',
    library: { skills: '.cursor/skills' },
    file: ({ cwd }) => join(cwd, '.cursor', 'mcp.json'),
    servers: 'mcpServers',
    entry: (url, headers) => withHeaders({ url }, headers),
    program,
    variable: (name) => `\${env:${name}}`,
  },
  vscode: {
    label: 'VS Code',
    library: { skills: '.github/skills', agents: { folder: '.github/agents', extension: '.agent.md' } },
    file: ({ cwd }) => join(cwd, '.vscode', 'mcp.json'),
    servers: 'servers',
    entry: (url, headers) => withHeaders({ type: 'http', url }, headers),
    program: typedProgram,
    variable: (name) => `\${env:${name}}`,
  },
  windsurf: {
    label: 'Windsurf',
    file: ({ home }) => join(home, '.codeium', 'windsurf', 'mcp_config.json'),
    servers: 'mcpServers',
    entry: (url, headers) => withHeaders({ serverUrl: url }, headers),
    program,
    variable: (name) => `\${env:${name}}`,
  },
  gemini: {
    label: 'Gemini CLI',
    library: { skills: '.gemini/skills' },
    afterwards: 'It reads the file once you trust this folder there.',
    file: ({ cwd }) => join(cwd, '.gemini', 'settings.json'),
    servers: 'mcpServers',
    entry: (url, headers) => withHeaders({ httpUrl: url }, headers),
    program,
    variable: (name) => `\${${name}}`,
  },
}
