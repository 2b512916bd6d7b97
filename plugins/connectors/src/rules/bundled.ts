import type { CuratedConnector } from '../api.ts'

/**
 * The set that comes with the gateway: servers maintained by their makers, one or two for each kind of work. Those that work
 * without an account are on; the rest are off until someone has an account.
 */
export const bundled: readonly CuratedConnector[] = [
  {
    key: 'next-devtools',
    label: 'Next.js DevTools',
    category: 'framework',
    description: 'Errors, routes and logs of a running Next.js application, and its documentation.',
    transport: 'stdio',
    command: 'npx',
    args: ['-y', 'next-devtools-mcp@latest'],
  },
  {
    key: 'context7',
    label: 'Context7',
    category: 'docs',
    description: 'Current documentation and examples of libraries, by version.',
    transport: 'http',
    url: 'https://mcp.context7.com/mcp',
    enabled: true,
  },
  {
    key: 'microsoft-learn',
    label: 'Microsoft Learn',
    category: 'docs',
    description: 'Microsoft’s documentation: search, pages, code samples.',
    transport: 'http',
    url: 'https://learn.microsoft.com/api/mcp',
    enabled: true,
  },
  {
    key: 'figma',
    label: 'Figma',
    category: 'design',
    description: 'Designs, variables and components of Figma files; signs in through the client.',
    transport: 'http',
    url: 'https://mcp.figma.com/mcp',
  },
  {
    key: 'playwright',
    label: 'Playwright',
    category: 'browser',
    description: 'A browser that the agent controls through the accessibility tree.',
    transport: 'stdio',
    command: 'npx',
    args: ['-y', '@playwright/mcp@latest'],
    enabled: true,
  },
  {
    key: 'chrome-devtools',
    label: 'Chrome DevTools',
    category: 'browser',
    description: 'Performance traces, network and console of a Chrome browser.',
    transport: 'stdio',
    command: 'npx',
    args: ['-y', 'chrome-devtools-mcp@latest'],
  },
  {
    key: 'github',
    label: 'GitHub',
    category: 'vcs',
    description: 'Repositories, issues, pull requests and workflows on GitHub.',
    transport: 'http',
    url: 'https://api.githubcopilot.com/mcp/',
    env: { Authorization: 'Bearer ${GITHUB_PERSONAL_ACCESS_TOKEN}' },
  },
  {
    key: 'vercel',
    label: 'Vercel',
    category: 'deploy',
    description: 'Projects, deployments and their logs on Vercel; signs in through the client.',
    transport: 'http',
    url: 'https://mcp.vercel.com',
  },
  {
    key: 'supabase',
    label: 'Supabase',
    category: 'storage',
    description: 'Databases, migrations and storage of Supabase projects, read-only; signs in through the client.',
    transport: 'http',
    url: 'https://mcp.supabase.com/mcp?read_only=true',
  },
]
