import { closed, Type } from '@gateway/sdk'

/** Variables that the commands read beside the settings. The generated reference docs/reference/configuration.md lists them. */
export const commandVariables = Type.Object(
  {
    url: Type.Optional(
      Type.String({
        env: 'GATEWAY_URL',
        description: 'Service to call. Default: that of the last `gateway login`, else the local one. `--url` comes first.',
      }),
    ),
    apiKey: Type.Optional(
      Type.String({ env: 'GATEWAY_API_KEY', description: 'API key to call it with. Default: the credential of `gateway login`.' }),
    ),
    localToken: Type.Optional(
      Type.String({
        env: 'GATEWAY_LOCAL_TOKEN',
        description:
          'Local token to call it with, in place of an API key. A service that only `gateway login` chose gets it on this machine alone.',
      }),
    ),
    account: Type.Optional(
      Type.String({
        env: 'GATEWAY_ACCOUNT',
        description:
          'Account whose quotas `gateway hook` records. Default: the one that Claude Code is signed in with, else the host’s name. `--account` comes first.',
      }),
    ),
    hookTranscripts: Type.Boolean({
      default: true,
      env: 'GATEWAY_HOOK_TRANSCRIPTS',
      description: '`0` keeps `gateway hook` from sending the conversation.',
    }),
    hookTimeoutMs: Type.Integer({
      default: 3_000,
      minimum: 0,
      maximum: 999_999,
      env: 'GATEWAY_HOOK_TIMEOUT_MS',
      description: 'Time limit of each call that `gateway hook` makes of the service.',
    }),
  },
  closed,
)

/** Variables that a runner sets for the agents, checks and deliveries that it starts; a gateway may run among them. */
export const runnerVariables = [
  'GATEWAY_BRANCH',
  'GATEWAY_MAIL_ADDRESS',
  'GATEWAY_RESULT_FILE',
  'GATEWAY_RUN_ID',
  'GATEWAY_RUN_INPUT',
  'GATEWAY_RUNNER',
  'GATEWAY_SUMMARY',
  'GATEWAY_TASK_ID',
  'GATEWAY_TITLE',
] as const
