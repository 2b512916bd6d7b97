import { contribute, type GettingStartedStep, gettingStarted, tenantAdmin } from '@gateway/sdk'

export const invite = contribute(gettingStarted, {
  uses: { tenants: tenantAdmin },
  create: ({ tenants }, ctx): GettingStartedStep => ({
    id: 'invite',
    order: 50,
    title: 'Invite someone',
    text: 'Make an API key for a person or an agent. Its role says what they may do, and its label names them in the audit trail.',
    capability: 'members',
    snippets: [{ label: 'Command line', code: 'gateway key create --label ada --role member' }],
    link: { to: '/keys' },
    isDone: async () => (await tenants.listKeys(ctx.tenantId)).length > 0,
  }),
})
